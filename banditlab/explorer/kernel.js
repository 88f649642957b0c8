// The instrument in a notebook, with a kernel behind it. The module begins with shared.js and with instrument.js.

const PAUSE = 1500;   // ms without a change after which the next one is a new gesture

// Run All takes JupyterLab to the last cell: a reader whom it has taken there is brought to the explorer when it comes, where all of
// it fits on the screen, unless they have scrolled meanwhile (reader.js hears it).
function isCarriedOff(el) {
  const own = el.closest('.jp-Cell'), notebook = el.closest('.jp-Notebook');
  if (!own || !notebook || window.banditlabScrolled?.delete(own)) return false;
  const cells = [...notebook.querySelectorAll('.jp-Cell')], last = cells.at(-1);
  const run = cell => {   // which run a cell had; it is still to come where the prompt says so
    const text = (cell.querySelector('.jp-InputPrompt') || own).textContent;
    return text.startsWith('[*]') ? Infinity : parseInt(text.slice(1)) || 0;
  };
  const later = cells.slice(cells.indexOf(own) + 1).map(run);
  return last.classList.contains('jp-mod-active') && later.some(number => number === Infinity || number > run(own));
}

function makeHome(model, by, redraw, take) {
  const facts = model.get('facts'), names = title => facts.figures[title].names, gather = (list, of) => Object.fromEntries(list.map(name => [name, of(name)]));
  return {
    take, redraw,
    at: values => gather(names(values.figure), name => values[name]),
    moves: title => gather(names(title), name => facts.controls[name].values),
    ask: (values, preset) => model.send({do: 'ask', values, preset, by}),
    cancel: () => model.send({do: 'cancel'}),
  };
}

// plotly.js as it comes with the installed plotly. In the module it would take a slow machine longer than the two seconds after
// which anywidget passes on nothing any more that the kernel says.
let library = null;
function loadPlotly(text) {
  library ??= import(URL.createObjectURL(new Blob([text], {type: 'text/javascript'}))).then(() => globalThis.Plotly);
  return library;
}

async function render({model, el}) {
  const Plotly = await loadPlotly(model.get('plotly'));
  let shown = null, kept = null, held = null, changed = 0, asked = false;
  const finished = {now: null, previous: null, start: null};   // whole figures; a first sketch is never a ghost
  const by = crypto.randomUUID?.() || String(Math.random()), dark = () => document.body.dataset.jpThemeLight === 'false', paper = model.get('command') !== '';
  const copy = async text => {
    try { await navigator.clipboard.writeText(text); say('Copied.'); } catch { window.prompt('Copy:', text); }
  };
  const take = format => picture(Plotly, model.get('figure'), it.title.textContent, slug(model.get('name')), format);
  const it = openInstrument(el, model.get('facts'), makeHome(model, by, () => draw(), [
    ['CSV', 'CSV', 'Save the numbers of the lines', () => { asked = true; model.send({do: 'csv'}); }],
    ['SVG', 'SVG', 'Save the picture, to print', () => take('svg')],
    ['PNG', 'PNG', 'Save the picture, for slides', () => take('png')],
    ...(paper ? [
      ['command', 'Copy command', 'Copy the command that makes a report of exactly this figure', () => copy(model.get('command'))],
      ['papermill', 'Copy papermill command', 'Copy the command that runs the notebook at this setting without Jupyter', () => copy(model.get('papermill'))],
      ['link', 'Copy link', 'Copy a link that opens the report at this setting', () => copy(model.get('link'))],
    ] : []),
  ]));
  const plot = add(it.stage, 'div');
  const say = text => {
    it.note.textContent = text;
    setTimeout(() => { if (it.note.textContent === text) it.note.textContent = ''; }, 3000);   // else something newer is said
  };

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
    const most = Math.max(300, Math.min(layout.height - 40, window.innerHeight - (el.clientWidth < 720 ? 400 : 300)));   // what the Lab leaves of a screen
    layout.height = fitted(most, plot, el.closest('.jp-WindowedPanel-outer') || document.documentElement);
    it.title.textContent = untitled(figure);
    stack(figure, plot.clientWidth);
    if (!same) { it.locked.checked = false; kept = null; }
    if (!same || !model.get('sketch')) held = null;
    if (!it.locked.checked) kept = null;
    else if (!kept) kept = ranges(plot);
    if (kept) lock(figure, kept);
    else if (same && model.get('sketch') && plot._fullLayout) {   // a sketch has fewer rounds: the frame waits for the rest
      const free = key => key[0] === 'x' && plot._fullLayout[key].autorange;   // where the reader has zoomed, plotly keeps it
      held ??= Object.fromEntries(Object.entries(ranges(plot)).filter(([key]) => free(key)));
      lock(figure, held);
    }
    const other = finished[it.against.value];
    const ghost = other && other !== model.get('figure') && JSON.parse(other).layout.uirevision === layout.uirevision;
    const lost = kept ? outside(figure, kept) : [];
    it.note.textContent = lost.length ? `Outside the locked axes: ${lost.join(', ')}.` : ghost ? 'Faint lines: the earlier figure.' : '';
    if (ghost) haunt(figure, JSON.parse(other));
    shown = layout.uirevision;
    return put(Plotly, plot, same ? Plotly.react : Plotly.newPlot, figure, CONFIG, plot.clientWidth, draw);   // another figure inherits nothing
  };

  let width = 0;
  const sized = new ResizeObserver(() => {
    if (plot.clientWidth === width || !plot.clientWidth) return;
    width = plot.clientWidth;   // nothing is drawn before the view hangs in the page and has a width
    if (!model.get('figure')) return;   // it is on its way
    if (!finished.now) remember();
    draw();
    Plotly.Plots.resize(plot);
  });
  sized.observe(plot);
  const came = async () => {
    if (!width) return;
    remember();
    await draw();
    if (model.get('sketch')) requestAnimationFrame(() => setTimeout(() => model.send('drawn')));   // painted: the kernel goes on
  };
  const tell = () => {
    it.said.textContent = model.get('status');
    it.alert.textContent = model.get('alert');
    it.fixed.textContent = model.get('aside');
    it.busy(model.get('busy') > 0);
    it.progress(model.get('fraction'));
  };
  const moved = () => { if (model.get('by') !== by) it.set(model.get('values'), model.get('preset')); };   // another view
  const received = message => {
    if (!asked || message.csv === undefined) return;   // the answer goes to all views; one saves it
    asked = false;
    save(message.name, new Blob([message.csv], {type: 'text/csv'}));
  };
  const redraw = () => { if (width) draw(); };
  const themed = new MutationObserver(redraw);
  const heard = {'change:figure': came, 'change:status change:alert change:aside change:busy change:fraction': tell, 'change:values change:preset': moved, 'msg:custom': received};
  for (const [event, hear] of Object.entries(heard)) model.on(event, hear);
  const led = event => {               // by a link to a setting, of the text or of the ledger
    const link = event.target.closest?.('a[href^="#figure="]'), notebook = el.closest('.jp-Notebook');
    if (!link || link.closest('.jp-Notebook') !== notebook) return;
    const facts = model.get('facts'), query = new URLSearchParams(link.hash.slice(1)), figure = query.get('figure');
    if (!facts.titles.includes(figure)) return;
    event.preventDefault();
    event.stopPropagation();           // JupyterLab would look for a heading
    it.open({...facts.start, ...readSetting(query, facts.controls), figure});
    el.closest('.jp-Cell')?.scrollIntoView();
  };
  document.addEventListener('click', led, true);
  addEventListener('resize', redraw);
  themed.observe(document.body, {attributeFilter: ['data-jp-theme-light']});
  tell();
  moved();
  const soon = act => { frame = requestAnimationFrame(act); }, bring = () => el.closest('.jp-Cell').scrollIntoView();
  let frame = 0;
  soon(function hung() {   // on a slow page the view hangs in its panel only some frames later
    if (!el.closest('.banditlab-explorer')) return soon(hung);
    if (!isCarriedOff(el)) return;
    bring();   // out of sight nothing is drawn, and before it is drawn it is not as tall as it will be
    soon(function stands() { plot.querySelector('.main-svg') ? bring() : soon(stands); });
  });
  return () => {
    for (const [event, hear] of Object.entries(heard)) model.off(event, hear);
    cancelAnimationFrame(frame);
    it.end();
    sized.disconnect();
    themed.disconnect();
    document.removeEventListener('click', led, true);
    removeEventListener('resize', redraw);
    Plotly.purge(plot);
  };
}

export default { render };
