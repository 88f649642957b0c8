'use strict';
const narrow = matchMedia('(max-width: 40rem)'), dark = matchMedia('screen and (prefers-color-scheme: dark)');

// With ?figure the page shows what moves, and nothing else: for a frame in another page.
document.documentElement.classList.toggle('alone', FRAMED || location.search === '?figure');

// The table of contents is folded where it would push the text off the first screen.
if (matchMedia('(max-width: 84rem)').matches) document.querySelector('nav details').open = false;

const codeSwitch = document.getElementById('code-switch');
codeSwitch.addEventListener('click', () => {
  const open = codeSwitch.getAttribute('aria-pressed') === 'false';
  codeSwitch.setAttribute('aria-pressed', open);
  codeSwitch.textContent = open ? 'Hide all code' : 'Show all code';
  document.querySelectorAll('details.code').forEach(e => { e.open = open; });
});

async function unpack(id) {             // a script that stands in the page packed
  const script = document.createElement('script');
  script.textContent = new TextDecoder().decode(await unzip(document.getElementById(id).textContent));
  document.head.append(script);
}

function dress(text, colours, width, fit) {   // a figure in the colours of the page; its title stands above it as text
  const figure = paint(text, colours), {layout} = figure;
  layout.width = width;
  layout.height = fit(layout.height || 450);
  untitled(figure);
  return figure;
}

function fold({data, layout}) {         // a phone: the legend in one column below the plot
  const shown = layout.showlegend === false ? 0 : data.filter(trace => trace.name && trace.showlegend !== false).length;
  const rows = shown > 1 || layout.showlegend ? shown : 0, height = 280, foot = 64;
  layout.legend = {...layout.legend, orientation: 'v', x: 0, xanchor: 'left', y: -foot / height, yanchor: 'top', tracegroupgap: 0, font: {size: 12}};
  layout.margin = {...layout.margin, l: 50, r: 12, b: foot + 20 * rows};
  layout.height = height + layout.margin.t + layout.margin.b;
  layout.font.size = 12;
}

const texts = new Map(), pageFacts = JSON.parse(document.getElementById('page').textContent);   // what sliding plots show now

function draw(plot, print) {
  const text = texts.get(plot) || plot.closest('figure').querySelector(':scope > script').textContent;
  const foot = e => e.getBoundingClientRect().bottom, below = () => foot(plot.closest('figure').querySelector('.said')) - foot(plot);
  const fit = height => (plot.change && !print ? fitted(height, plot, document.documentElement, below()) : height);
  const figure = dress(text, dark.matches && !print ? DARK : LIGHT, print ? 660 : undefined, fit), {layout} = figure;
  const panels = startsOf(layout, 'x').length, rows = startsOf(layout, 'y').length, small = narrow.matches && !print;
  plot.style.minWidth = '';
  if (!print && stack(figure, plot.clientWidth)) layout.font.size = 12;
  else if (small && panels > 1) plot.style.minWidth = `${panels * 18}rem`;
  else if (small) fold(figure);
  if (print) layout.height = Math.min(820, Math.max(270, (rows > 1 ? 0.75 : 0.6) * layout.height));   // two to a page, where they have one row; none is cut
  plot.style.minHeight = `${layout.height}px`;
  if (plot.change && !print) plot.change(figure);
  const how = plot.drawn && plot.drawn === layout.uirevision && !print ? Plotly.react : Plotly.newPlot;   // another figure inherits nothing
  plot.drawn = print ? null : layout.uirevision;   // print has a width of its own
  const config = {...CONFIG, responsive: true, showSendToCloud: false, toImageButtonOptions: {format: 'svg', filename: plot.closest('figure').id}};
  return put(Plotly, plot, how, figure, config, print ? 660 : plot.clientWidth, () => draw(plot)).then(() => {
    plot.removeAllListeners('plotly_click');
    plot.on('plotly_click', ({points: [point]}) => leadTo(point));
  });
}

function leadTo({data, pointNumber}) {  // a cell of a map, as banditlab/analysis/map.py describes it: the sliders move to it
  const {values, x: [across, xs], y: [up, ys]} = (data.meta || {}).cells || {values: {}, x: [], y: []}, [row, column] = pointNumber.length ? pointNumber : [];
  if (values.figure && xs[column] !== null && ys[row] !== null) location.hash = new URLSearchParams({...values, [across]: xs[column], [up]: ys[row]});
}

function readPlace(text) {              // a link that was cut may end within a letter
  try { return decodeURIComponent(text); } catch { return text; }
}

// What an address names is opened, and so is all that it lies in; printing opens everything but code.
function openTarget() {
  if (!location.hash) return;
  const target = document.getElementById(readPlace(location.hash.slice(1).split('?')[0]));
  if (!target) return;
  for (let e = target; e; e = e.parentElement.closest('details')) if (e.tagName === 'DETAILS') e.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('main details:not(.code, [open])')];
  opened.forEach(e => { e.open = true; });
});
addEventListener('afterprint', () => opened.forEach(e => { e.open = false; }));

// Where one is, in the contents.
const entries = [...document.querySelectorAll('nav a')].map(link => [link, document.getElementById(decodeURIComponent(link.hash.slice(1)))]).filter(([, e]) => e);
function markPlace() {
  const passed = entries.filter(([, heading]) => heading.getBoundingClientRect().top < innerHeight / 3).pop();
  entries.forEach(([link]) => (passed && link === passed[0] ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current')));
}
addEventListener('scroll', markPlace, {passive: true});
markPlace();

let moved = false;
for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(name, () => { moved = true; }, {once: true, passive: true});

// In a frame: VS Code scrolls its notebook by the wheel events that it hears, and hears none from inside a frame.
if (window.frameElement) {
  addEventListener('wheel', event => {
    const page = document.scrollingElement, rest = page.scrollHeight - page.clientHeight - page.scrollTop;
    if (event.ctrlKey || (event.deltaY < 0 ? page.scrollTop >= 1 : rest >= 1)) return;
    frameElement.dispatchEvent(new WheelEvent('wheel', event));
  }, {passive: true});
}

async function charts() {
  const plots = [...document.querySelectorAll('.plot')], drawn = () => plots.filter(e => e.querySelector('.main-svg'));
  if (!plots.length) return;
  try {
    await unpack('plotly-gz');
  } catch (error) {
    plots.forEach(e => { e.textContent = `This browser cannot draw the chart (${error.message}).`; });
    return;
  }
  plots.map(e => e.closest('figure')).filter(figure => !figure.querySelector('.slides')).forEach(strip);
  await startSliders();
  if (!moved) openTarget();   // the page has grown above it
  const near = new IntersectionObserver(entries => entries.filter(e => e.isIntersecting).forEach(e => {
    near.unobserve(e.target);
    draw(e.target);
  }), {rootMargin: '800px'});
  plots.forEach(e => near.observe(e));
  for (const query of [dark, narrow]) query.addEventListener('change', () => drawn().forEach(e => draw(e)));
  addEventListener('beforeprint', () => plots.forEach(e => draw(e, true)));
  addEventListener('afterprint', () => plots.forEach(e => draw(e)));
}
const ready = charts();
let waits = true;
ready.finally(() => { waits = false; });
addEventListener('keydown', async event => {   // printing waits for the figures; before that they are stills
  if (!waits || event.key !== 'p' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  await ready;
  print();
});
