// The row of buttons, the progress bar, the status and the error line of an explorer; and names for what ipywidgets leaves
// nameless, so that a screen reader says "Gap Δ, 0.20" and not "slider, 3". Uses no network.

const DELAY = 300;   // ms before a running computation shows: short ones would only flicker

function make(tag, className, parent, attributes = {}) {
  const node = document.createElement(tag);
  node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
}

function set(node, name, value) {
  if (node && node.getAttribute(name) !== value) node.setAttribute(name, value);
}

function nameControls(controls) {
  for (const row of controls.querySelectorAll('.widget-slider')) {
    const label = row.querySelector('.widget-label'), readout = row.querySelector('.widget-readout');
    const handle = row.querySelector('.noUi-handle');
    set(handle, 'aria-label', label.textContent);
    set(handle, 'aria-valuetext', readout.textContent);
  }
  for (const more of controls.querySelectorAll('.banditlab-more'))
    set(more, 'aria-expanded', String(more.classList.contains('mod-active')));
}

// Name the controls now and after every change.
function watch(el) {
  const controls = el.closest('.banditlab-explorer').querySelector('.banditlab-controls');
  const named = new MutationObserver(() => nameControls(controls));
  named.observe(controls, {
    childList: true, subtree: true, characterData: true, attributeFilter: ['aria-valuetext', 'class'],
  });
  nameControls(controls);
  return () => named.disconnect();
}

// Run All takes JupyterLab to the last cell: a reader who is still there when the explorer comes is brought back to the top,
// unless he has scrolled meanwhile (reader.js hears it).
function toTop(el) {
  const own = el.closest('.jp-Cell'), notebook = el.closest('.jp-Notebook');
  if (!own || !notebook || window.banditlabScrolled?.delete(own)) return;
  const cells = [...notebook.querySelectorAll('.jp-Cell')], last = cells.at(-1);
  const run = cell => {   // which run a cell had; it is still to come where the prompt says so
    const text = (cell.querySelector('.jp-InputPrompt') || own).textContent;
    return text.startsWith('[*]') ? Infinity : parseInt(text.slice(1)) || 0;
  };
  const later = cells.slice(cells.indexOf(own) + 1).map(run), there = last.getBoundingClientRect().top < window.innerHeight;
  const all = later.some(number => number === Infinity || number > run(own));
  if (all && there && last.classList.contains('jp-mod-active')) notebook.querySelector('.jp-WindowedPanel-outer').scrollTop = 0;
}

function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type: 'text/csv'}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function buttons(model, row, say) {
  const button = (text, help, click) => {
    const node = make('button', 'jupyter-button', row, {type: 'button', title: help});
    node.textContent = text;
    node.onclick = click;
    return node;
  };
  button('Reset', 'Back to the parameters cell', () => model.send({do: 'reset'}));
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); say('Copied.'); } catch { window.prompt('Copy:', text); }
  };
  if (model.get('command')) {
    button('Copy command', 'The command that makes a report of exactly this figure', () => copy(model.get('command')));
    button('papermill', 'The same with papermill alone: copies its line', () => copy(model.get('papermill')));
  }
  let asked = false;   // the answer goes to all views of the panel; one saves it
  button('Save CSV', 'The numbers of the lines', () => { asked = true; model.send({do: 'csv'}); });
  const receive = (message) => {
    if (!asked || message.csv === undefined) return;
    asked = false;
    save(message.name, message.csv);
  };
  model.on('msg:custom', receive);
  return () => model.off('msg:custom', receive);
}

function progress(model, row) {
  const box = make('span', 'banditlab-progress', row);
  const cancel = make('button', 'jupyter-button', box, {type: 'button', title: 'Stop the running computation'});
  cancel.textContent = 'Cancel';
  cancel.onclick = () => model.send({do: 'cancel'});
  const bar = make('progress', '', box, {'aria-label': 'Progress', max: 1});
  let timer = null;
  const busy = () => {
    clearTimeout(timer);
    if (!model.get('busy')) box.classList.remove('banditlab-on');
    else timer = setTimeout(() => box.classList.add('banditlab-on'), DELAY);
  };
  const moved = () => {
    if (model.get('fraction')) bar.value = model.get('fraction');
    else bar.removeAttribute('value');   // nobody knows how far a compilation is
  };
  busy(); moved();
  model.on('change:busy', busy);
  model.on('change:fraction', moved);
  return () => { clearTimeout(timer); model.off('change:busy', busy); model.off('change:fraction', moved); };
}

function render({model, el}) {
  el.classList.add('banditlab-toolbar');
  const row = make('div', 'banditlab-buttons', el);
  const status = make('div', 'banditlab-status', el, {role: 'status'});
  const alert = make('div', 'banditlab-alert', el, {role: 'alert'});
  const tell = () => {
    status.textContent = model.get('status');
    alert.textContent = model.get('alert');
    set(el, 'aria-busy', String(model.get('busy') > 0));
  };
  let note = null;
  const say = (text) => {
    note.textContent = text;
    setTimeout(() => { note.textContent = ''; }, 3000);
  };
  const ends = [buttons(model, row, say)];
  note = make('span', 'banditlab-note', row, {role: 'status'});
  ends.push(progress(model, row));
  tell();
  model.on('change:status change:alert change:busy', tell);
  let frame = requestAnimationFrame(function hung() {   // on a slow page the view hangs in its panel only some frames later
    if (!el.closest('.banditlab-explorer')) { frame = requestAnimationFrame(hung); return; }
    ends.push(watch(el));
    toTop(el);
  });
  return () => {
    cancelAnimationFrame(frame);
    model.off('change:status change:alert change:busy', tell);
    ends.forEach((end) => end());
  };
}

export default { render };
