'use strict';
const narrow = matchMedia('(max-width: 40rem)'), dark = matchMedia('screen and (prefers-color-scheme: dark)');
const LIGHT = {ink: '#1b1f24', dim: '#59626e', rule: '#dfe3e8', ground: '#ffffff'};
const DARK = {ink: '#e7eaee', dim: '#a3adb8', rule: '#3a434e', ground: '#14181d'};
const FONT = 'system-ui, "Segoe UI", "Noto Sans", "Liberation Sans", Arial, sans-serif';
const CONFIG = {
  responsive: true, displaylogo: false, showSendToCloud: false,
  modeBarButtonsToRemove: ['sendChartToCloud', 'lasso2d', 'select2d'],
};

// The table of contents is folded where it would push the text off the first screen.
if (matchMedia('(max-width: 75rem)').matches) document.querySelector('nav details').open = false;

const codeSwitch = document.getElementById('code-switch');
codeSwitch.addEventListener('click', () => {
  const open = codeSwitch.getAttribute('aria-pressed') === 'false';
  codeSwitch.setAttribute('aria-pressed', open);
  codeSwitch.textContent = open ? 'Hide all code' : 'Show all code';
  document.querySelectorAll('details.code').forEach(e => { e.open = open; });
});

async function unpack(id) {             // a script that stands in the page gzipped, in base64
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const script = document.createElement('script');
  script.textContent = await new Response(stream).text();
  document.head.append(script);
}

function dress(text, colours, width) {  // a figure in the colours of the page; its title stands above it as text
  if (colours === DARK) text = text.replace(/"(#000|#000000|black)"/gi, `"${colours.ink}"`).replace(/"rgba\(0, ?0, ?0,/g, '"rgba(231,234,238,');
  const figure = JSON.parse(text), layout = figure.layout, template = layout.template || {}, base = template.layout || {};
  const axis = {gridcolor: colours.rule, zerolinecolor: colours.rule, linecolor: colours.rule, automargin: true};
  for (const key of Object.keys(layout)) if (/^[xy]axis/.test(key)) layout[key] = {...layout[key], ...axis};
  layout.template = {...template, layout: {...base, xaxis: {...base.xaxis, ...axis}, yaxis: {...base.yaxis, ...axis}}};
  layout.paper_bgcolor = layout.plot_bgcolor = 'rgba(0,0,0,0)';
  layout.font = {...layout.font, color: colours.ink, family: FONT};
  layout.hoverlabel = {...layout.hoverlabel, bgcolor: colours.ground, bordercolor: colours.rule, font: {color: colours.ink}};
  layout.legend = {...base.legend, ...layout.legend, bgcolor: 'rgba(0,0,0,0)'};
  layout.modebar = {...layout.modebar, bgcolor: 'rgba(0,0,0,0)', color: colours.dim, activecolor: colours.ink};
  layout.width = width;
  layout.height = layout.height || 450;
  const head = (layout.annotations || []).some(a => a.yref === 'paper' && a.y >= 1) ? 36 : 8;  // titles of panels
  layout.margin = {...base.margin, ...layout.margin, t: head + 8};
  if (layout.legend.orientation === 'h') Object.assign(layout.legend, {yref: 'paper', yanchor: 'bottom', y: 1 + head / (layout.height - 100)});
  delete layout.title;
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

function draw(plot, print) {
  const text = plot.closest('figure').querySelector('script').textContent;
  const figure = dress(text, dark.matches && !print ? DARK : LIGHT, print ? 660 : undefined), {layout} = figure;
  const starts = Object.keys(layout).filter(key => /^xaxis/.test(key)).map(key => (layout[key].domain || [0])[0]);
  const panels = new Set(starts).size, small = narrow.matches && !print;
  plot.style.minWidth = small && panels > 1 ? `${panels * 18}rem` : '';
  if (small && panels < 2) fold(figure);
  plot.style.minHeight = `${layout.height}px`;
  return Plotly.newPlot(plot, figure.data, layout, {...CONFIG, toImageButtonOptions: {format: 'svg', filename: plot.closest('figure').id}});
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
  const near = new IntersectionObserver(entries => entries.filter(e => e.isIntersecting).forEach(e => {
    near.unobserve(e.target);
    draw(e.target);
  }), {rootMargin: '800px'});
  plots.forEach(e => near.observe(e));
  for (const query of [dark, narrow]) query.addEventListener('change', () => drawn().forEach(e => draw(e)));
  addEventListener('beforeprint', () => plots.forEach(e => draw(e, true)));
  addEventListener('afterprint', () => plots.forEach(e => draw(e)));
}
charts();
