// Sliders of a page without a kernel: they choose among precomputed figures. Uses shared.js, and from report.js draw and said.

const TOP_CODE = 65534, NO_NUMBER = 65535;

async function unpackGrid(text) {      // what banditlab/explorer/grid.py packs
  const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const raw = new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  const size = new DataView(raw.buffer).getUint32(0, true), header = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + size)));
  const stream = raw.subarray(4 + size), half = stream.length / 2, starts = [0];
  for (const [n] of header.arrays) starts.push(starts[starts.length - 1] + n);
  const array = number => {
    const [n, low, step, log, decimals] = header.arrays[number], at = starts[number], ten = 10 ** decimals, out = new Array(n);
    for (let i = 0, code = 0; i < n; i++) {
      code = (code + stream[at + i] + 256 * stream[half + at + i]) & 65535;
      const x = low + code * step;
      out[i] = code === NO_NUMBER ? null : log ? Math.exp(x) : Math.round(x * ten) / ten;
    }
    return out;
  };
  const whole = node => {
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map(whole);
    return '$a' in node ? array(node.$a) : Object.fromEntries(Object.entries(node).map(([key, value]) => [key, whole(value)]));
  };
  return (title, number) => whole(header.cells[title][number]);
}

function nearest(points, wanted) {     // the place of the closest point; by ratio where all are positive
  const log = Math.min(...points, wanted) > 0;
  const far = x => log ? Math.abs(Math.log(x / wanted)) : Math.abs(x - wanted);
  return points.reduce((best, x, i) => (far(x) < far(points[best]) ? i : best), 0);
}

function sliders(panel, cell, facts) {
  const figure = panel.closest('figure'), plot = figure.querySelector('.plot');
  const original = figure.querySelector(':scope > script').textContent, first = {caption: null, title: null};
  const which = panel.querySelector('select'), rows = [...panel.querySelectorAll('.slider')];
  const status = panel.querySelector('.said'), locked = panel.querySelector('[name="lock"]');
  const {template} = JSON.parse(original).layout, symbol = name => facts.controls[name].symbol;
  const text = (name, value) => facts.controls[name].texts[facts.controls[name].values.indexOf(value)] || String(value);
  let wanted = {...facts.start}, title = facts.figures[facts.start.figure] ? facts.start.figure : facts.titles[0];
  let shown = null, before = null, kept = null, moving = false;

  const axes = () => facts.figures[title].axes;
  const place = name => nearest(axes()[name], wanted[name]);
  const words = state => state.original || state === begun ? 'the start' : Object.entries(state.at).map(([name, value]) => `${symbol(name)} = ${text(name, value)}`).join(', ');

  function computed(title, asked) {
    const {axes, order} = facts.figures[title], places = order.map(name => nearest(axes[name], asked[name]));
    const at = Object.fromEntries(order.map((name, i) => [name, axes[name][places[i]]]));
    return {title, at, number: order.reduce((sum, name, i) => sum * axes[name].length + places[i], 0), original: false};
  }
  const begun = computed(title, facts.start);   // the start as the others are computed: as many runs and rounds
  const state = () => computed(title, wanted);

  const json = one => {
    if (one.original) return original;
    const made = cell(one.title, one.number);
    made.layout.template = template;
    made.layout.uirevision = one.title;
    return JSON.stringify(made);
  };

  function ghost() {
    const asked = {previous: before, start: begun}[panel.querySelector('[name="against"]:checked').value];
    const other = asked && asked.original ? begun : asked;
    return other && other.title === shown.title && other.number !== (shown.original ? begun : shown).number ? other : null;
  }

  plot.change = drawn => {             // report.js calls it with the painted figure, before plotly gets it
    const other = ghost();
    if (other) haunt(drawn, JSON.parse(json(other)));
    if (kept) lock(drawn, kept);
    const lost = kept ? outside(drawn, kept) : [];
    const asked = shown.original ? [] : Object.keys(shown.at).filter(name => wanted[name] !== shown.at[name]);
    status.textContent = [
      shown.original ? 'As the notebook shows it.' : `${asked.length ? 'Nearest computed: ' : 'Shown: '}${words(shown)}.`,
      asked.length ? `Asked for ${asked.map(name => `${symbol(name)} = ${text(name, wanted[name])}`).join(', ')}.` : '',
      other ? `Faint lines: ${words(other)}.` : '',
      lost.length ? `Outside the locked axes: ${lost.join(', ')}.` : '',
    ].filter(Boolean).join(' ');
  };

  function setRows() {
    for (const row of rows) {
      const name = row.dataset.name, points = axes()[name], input = row.querySelector('input'), ticks = row.querySelector('.ticks');
      row.hidden = !points;
      if (!points) continue;
      input.max = points.length - 1;
      input.value = place(name);
      row.querySelector('output').textContent = text(name, points[input.value]);
      input.setAttribute('aria-valuetext', `${symbol(name)} = ${text(name, points[input.value])}`);
      ticks.replaceChildren(...points.map((x, i) => {
        const tick = document.createElement('span');
        tick.textContent = x;
        tick.style.setProperty('--at', points.length > 1 ? i / (points.length - 1) : 0);
        tick.classList.toggle('on', i === Number(input.value));
        tick.addEventListener('click', () => { input.value = i; input.dispatchEvent(new Event('input')); input.dispatchEvent(new Event('change')); input.focus(); });
        return tick;
      }));
    }
    const {said} = facts.figures[title], words = said.join(', ');
    const sentence = shown.original ? `The sliders choose among figures computed with ${words}.` : `Fixed here: ${words}. The notebook moves them too.`;
    panel.querySelector('.fixed').textContent = said.length ? sentence : '';
  }

  function show(next) {
    if (shown && next.title !== shown.title) { kept = before = null; locked.checked = false; }
    shown = next;
    const whole = json(next), {layout} = JSON.parse(whole), heading = figure.querySelector('.title'), says = figure.querySelector('.says');
    if (first.caption === null) Object.assign(first, {caption: says.innerHTML, title: heading.textContent});
    texts.set(plot, next.original ? undefined : whole);
    heading.textContent = next.original ? first.title : (layout.title || {}).text || next.title;
    if (next.original) says.innerHTML = first.caption;
    else spell(says, (layout.meta || {}).caption || '');
    plot.setAttribute('aria-label', next.original ? plot.dataset.alt : `Chart. ${next.title}: ${words(next)}. ${(layout.meta || {}).alt || ''}`);
    figure.taken = next.original ? null : {...facts.figures[title].fixed, ...next.at, figure: title};
    setRows();
    draw(plot);
  }

  for (const row of rows) {
    const input = row.querySelector('input'), name = row.dataset.name;
    input.addEventListener('input', () => {
      if (!moving) before = shown;     // one gesture, one ghost: not the positions that a drag passes
      moving = true;
      wanted[name] = axes()[name][input.value];
      show(state());
    });
    input.addEventListener('change', () => { moving = false; });
  }
  which.addEventListener('change', () => { title = which.value; show(state()); });
  panel.querySelectorAll('[name="against"]').forEach(e => e.addEventListener('change', () => draw(plot)));
  locked.addEventListener('change', () => { kept = locked.checked ? ranges(plot) : null; draw(plot); });
  const reset = () => {
    before = shown;
    wanted = {...facts.start};
    if (facts.figures[facts.start.figure]) title = facts.start.figure;
    which.value = title;
    show({title, original: true});
  };
  panel.querySelector('.reset').addEventListener('click', reset);
  const fromAddress = () => {          // #figure-3?gap=0.4&d=5 is a link to a state
    const [id, query] = location.hash.slice(1).split('?');
    if (id !== figure.id || !query) return;
    for (const [name, value] of new URLSearchParams(query)) {
      if (name === 'figure' && facts.figures[value]) title = which.value = value;
      else if (facts.controls[name] && value !== '' && isFinite(value)) wanted[name] = Number(value);
    }
    figure.scrollIntoView();
    show(state());
  };
  addEventListener('hashchange', fromAddress);
  which.value = title;
  shown = {title, original: true};
  setRows();
  status.textContent = 'As the notebook shows it. Move a slider.';
  panel.hidden = false;
  fromAddress();
}

function spell(node, text) {           // a caption: TeX between dollars, emphasis between stars
  node.replaceChildren(...text.split(/\$([^$]+)\$/).flatMap((part, i) => {
    if (i % 2 === 0) return part.split(/\*+([^*]+)\*+/).map((words, j) => {
      const e = document.createElement(j % 2 ? 'em' : 'span');
      e.textContent = words;
      return e;
    });
    const formula = document.createElement('span');
    katex.render(part, formula, {throwOnError: false, strict: 'ignore'});
    return formula;
  }));
}

async function startSliders() {
  for (const panel of document.querySelectorAll('.slides')) {
    const facts = JSON.parse(panel.querySelector('script.facts').textContent);
    sliders(panel, await unpackGrid(document.getElementById(panel.dataset.grid).textContent), facts);
  }
}
