// The plot of an explorer. The module begins with plotly.js as it comes with the installed plotly, and with shared.js.

const Plotly = globalThis.Plotly;
const PAUSE = 1500;   // ms without a change after which the next one is a new gesture

function element(tag, attributes, parent) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) name === 'text' ? node.textContent = value : node.setAttribute(name, value);
  parent.append(node);
  return node;
}

// The row under the plot: what to compare with, locked axes, pictures.
function tools(el, redraw, take) {
  const row = element('div', {class: 'banditlab-tools'}, el);
  const label = element('label', {text: 'Compare with '}, row);
  const against = element('select', {'aria-label': 'Compare with'}, label);
  for (const name of ['nothing', 'previous', 'start']) element('option', {text: name}, against);
  const locking = element('label', {}, row);
  const locked = element('input', {type: 'checkbox'}, locking);
  locking.append(' Lock axes');
  const note = element('span', {class: 'banditlab-note', role: 'status'}, row);
  against.addEventListener('change', redraw);
  locked.addEventListener('change', redraw);
  for (const format of ['svg', 'png']) {
    const button = element('button', {type: 'button', class: 'jupyter-button', text: format.toUpperCase(), title: `Save the picture as ${format.toUpperCase()}`}, row);
    button.addEventListener('click', () => take(format));
  }
  return {against, locked, note};
}

function render({model, el}) {
  const heading = element('div', {class: 'banditlab-title'}, el), plot = element('div', {}, el);
  let shown = null, kept = null, held = null, changed = 0;
  const finished = {now: null, previous: null, start: null};   // whole figures; a first sketch is never a ghost
  const dark = () => document.body.dataset.jpThemeLight === 'false';
  const bar = tools(el, () => draw(), format => picture(Plotly, model.get('figure'), heading.textContent, slug(model.get('name')), format));

  const remember = () => {
    const text = model.get('figure'), title = JSON.parse(text).layout.uirevision;
    if (model.get('sketch')) return;
    const now = performance.now();
    if (finished.now && title === shown && now - changed > PAUSE) finished.previous = finished.now;
    if (title !== shown) finished.previous = null;
    if (!finished.start || JSON.parse(finished.start).layout.uirevision !== title) finished.start = text;
    finished.now = text;
    changed = now;
  };

  const draw = () => {
    const figure = paint(model.get('figure'), dark() ? DARK : LIGHT), {layout} = figure, same = layout.uirevision === shown;
    heading.textContent = untitled(figure);
    const room = Math.max(300, window.innerHeight - (el.closest('.banditlab-explorer').clientWidth < 900 ? 390 : 310));   // what the Lab leaves of a screen
    layout.height = Math.min(layout.height - 40, room);
    if (!same) { bar.locked.checked = false; kept = null; }
    if (!same || !model.get('sketch')) held = null;
    if (!bar.locked.checked) kept = null;
    else if (!kept) kept = ranges(plot);
    if (kept) lock(figure, kept);
    else if (same && model.get('sketch') && plot._fullLayout) {   // a sketch has fewer rounds: the frame waits for the rest
      const free = key => key[0] === 'x' && plot._fullLayout[key].autorange;   // where the reader has zoomed, plotly keeps it
      held ??= Object.fromEntries(Object.entries(ranges(plot)).filter(([key]) => free(key)));
      lock(figure, held);
    }
    const other = finished[bar.against.value];
    const ghost = other && other !== model.get('figure') && JSON.parse(other).layout.uirevision === layout.uirevision;
    const lost = kept ? outside(figure, kept) : [];
    bar.note.textContent = lost.length ? `Outside the locked axes: ${lost.join(', ')}.` : ghost ? 'Faint lines: what was there before.' : '';
    if (ghost) haunt(figure, JSON.parse(other));
    shown = layout.uirevision;
    return put(Plotly, plot, same ? Plotly.react : Plotly.newPlot, figure, CONFIG, el.clientWidth);   // another figure inherits nothing
  };

  let width = 0;
  const sized = new ResizeObserver(() => {
    if (el.clientWidth === width || !el.clientWidth) return;
    width = el.clientWidth;   // nothing is drawn before the view hangs in the page and has a width
    if (!model.get('figure')) return;   // it is on its way
    if (!finished.now) remember();
    draw();
    Plotly.Plots.resize(plot);
  });
  sized.observe(el);
  const came = async () => {
    if (!width) return;
    remember();
    await draw();
    if (model.get('sketch')) requestAnimationFrame(() => setTimeout(() => model.send('drawn')));   // painted: the kernel goes on
  };
  model.on('change:figure', came);
  const themed = new MutationObserver(() => { if (width) draw(); });
  const sizedWindow = () => { if (width) draw(); };
  addEventListener('resize', sizedWindow);
  themed.observe(document.body, {attributeFilter: ['data-jp-theme-light']});
  return () => {
    model.off('change:figure', came);
    sized.disconnect();
    themed.disconnect();
    removeEventListener('resize', sizedWindow);
    Plotly.purge(plot);
  };
}

export default { render };
