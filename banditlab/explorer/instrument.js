// The instrument: steps, controls, tools and words around one plot. Behind it stands a home: the kernel of a notebook, or
// the page of a report. Uses shared.js.

const FEW = 12, APART = 0.14, GLYPH = 0.037, DELAY = 300;   // positions that all have ticks; share of a track between names of ticks,
// and for one of their letters; ms before a run shows
const NO_PRESET = 'choose a preset', NOT_HERE = 'Not available at this setting. The notebook has it at every setting.';
const ICONS = {
  reset: 'M3.2 5.2A5.5 5.5 0 1 1 2.5 8M3 2v3.4h3.4', command: 'M2.5 4l4 4-4 4M8.5 12h5', save: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  papermill: 'M4 1.8h5.5L12 4.5v9.7H4zM6.2 7h3.6M6.2 9.5h3.6', link: 'M6.5 9.5l3-3M7.5 4.5l1.6-1.6a2.8 2.8 0 0 1 4 4L11.5 8.5M8.5 11.5l-1.6 1.6a2.8 2.8 0 0 1-4-4L4.5 7.5',
};

function add(parent, tag, attributes = {}, text = '') {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

function addTool(row, icon, word, help, click) {   // an icon, or a word as short as one; its name comes with pointer or focus
  const button = add(row, 'button', {type: 'button', class: 'tool', title: help, 'aria-label': word});
  if (ICONS[icon]) {
    button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
    add(button, 'span', {class: 'word', 'aria-hidden': 'true'}, word);
  } else button.textContent = icon;
  button.addEventListener('click', click);
  return button;
}

function nearest(points, wanted) {     // the place of the closest point; by ratio where all are positive
  const place = points.indexOf(wanted);   // most often it is there
  if (place >= 0 || typeof wanted !== 'number') return Math.max(0, place);
  const log = Math.min(...points, wanted) > 0;
  const far = x => log ? Math.abs(Math.log(x / wanted)) : Math.abs(x - wanted);
  return points.reduce((best, x, i) => (far(x) < far(points[best]) ? i : best), 0);
}

function placeTicks(points, marks, start) {   // [place, whether the paper has it, whether there is room for its name]: the start's first, then the ends'
  const last = points.length - 1, paper = points.map((x, i) => i).filter(i => marks.includes(points[i]));
  const others = points.length <= FEW ? points.map((x, i) => i) : [], named = [], own = [...paper, ...others].filter(i => points[i] === start);
  return [...new Set([...own, 0, last, ...paper, ...others])].map(i => {
    const wide = j => GLYPH * (shorten(points[i]).length + shorten(points[j]).length) / 2;
    const room = named.every(j => Math.abs(i - j) >= last * Math.max(APART, wide(j)));
    if (room) named.push(i);
    return [i, paper.includes(i), room];
  }).filter(([, paper, room]) => paper || room).sort(([i], [j]) => i - j);
}

function placeEdges(points, edges) {   // [place between two positions, words, whether decided], one for all claims that change there
  const found = new Map(), place = x => {
    const after = points.findIndex(point => point >= x);
    return after < 1 ? Math.max(0, after) : after - (points[after] - x) / (points[after] - points[after - 1]);
  };
  for (const [x, words, decided] of edges) if (x >= points[0] && x <= points.at(-1)) {
    const [others, any] = found.get(place(x)) || [[], false];
    found.set(place(x), [[...others, words], any || decided]);
  }
  return [...found].map(([i, one]) => [i, ...one]);
}

function shorten(x) {                  // a name of a tick
  if (typeof x !== 'number') return String(x);
  if (x >= 1e6 && x % 1e5 === 0) return `${x / 1e6}M`;
  return x >= 10000 && x % 1000 === 0 ? `${x / 1000}k` : String(Number.isInteger(x) ? x : +x.toPrecision(3));
}

function readNumber(text) {            // commas group thousands, or one stands for the point; 1/8 is a number, too
  const plain = part => (/^\s*-?[1-9]\d{0,2}(,\d{3})+(?![\d,])/.test(part) ? part.replaceAll(',', '') : part.replace(',', '.'));
  const [over, under = 1] = text.split('/').map(plain).map(parseFloat);
  return over / under;
}

const readSeed = x => Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.floor(Number(x) || 0)));   // a whole number that JavaScript has
function readSetting(query, controls) {   // of an address: name to value, of what the instrument has
  const words = {true: true, false: false}, known = [...query].filter(([name, value]) => value !== '' && (name === 'seed' || name in controls));
  const read = ([name, value]) => [name, name === 'seed' ? readSeed(value) : controls[name].kind === 'slider' ? Number(value) : words[value] ?? value];
  return Object.fromEntries(known.map(read).filter(([, value]) => !Number.isNaN(value)));
}

let rowsMade = 0;

function makeRow(name, control, moved) {   // {show(points, value, marks)}, and its element
  const row = document.createElement('div'), id = `bl-${name}-${rowsMade += 1}`, help = {for: id, title: control.help || ''};
  row.className = `row ${control.kind}`;
  row.dataset.name = name;
  let points = [];
  if (control.kind === 'switch') {
    const box = add(row, 'input', {type: 'checkbox', id});
    const label = add(row, 'label', help, control.label);
    box.addEventListener('change', () => moved(name, box.checked, true));
    return {row, show(now, value) {    // one that cannot be moved here says so
      [box.checked, box.disabled] = [value, now.length < 2];
      box.title = label.title = box.disabled ? NOT_HERE : help.title;
    }};
  }
  add(row, 'label', help, control.label);
  if (control.kind === 'choice') {
    const box = add(row, 'select', {id});
    box.addEventListener('change', () => moved(name, points[box.value], true));
    return {row, show(now, value, marks, text) {
      if (String(now) !== String(points)) box.replaceChildren(...now.map((x, i) => new Option(text(x), i)));
      points = now;
      box.value = Math.max(0, points.indexOf(value));
    }};
  }
  const box = add(row, 'input', {class: 'value', 'aria-label': `${control.label}, value`, inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false'});
  const range = add(row, 'input', {type: 'range', id, min: 0, step: 1, 'data-lm-suppress-shortcuts': ''}), ticks = add(row, 'div', {class: 'ticks', 'aria-hidden': 'true'});
  const wrong = add(row, 'div', {class: 'wrong', role: 'status'});
  let moving = false, said = '', drawn = '', spoken = x => x;   // JupyterLab would take the arrow keys for itself
  range.addEventListener('input', () => {
    moved(name, points[range.value], !moving);
    moving = true;
  });
  range.addEventListener('change', () => { moving = false; });
  box.addEventListener('focus', () => box.select());
  const enter = () => {                // typed: any number between the ends; of others it says what became of them
    if (box.value === said) return;
    const typed = box.value, asked = readNumber(typed), low = points[0], high = points.at(-1);
    const whole = control.whole ? Math.round(asked) : asked, value = Math.min(Math.max(whole, low), high), outside = asked < low || asked > high;
    const ends = outside ? `${control.label} goes from ${spoken(low)} to ${spoken(high)}.` : '', rounded = whole === asked ? '' : `${control.label} takes whole numbers only.`;
    if (Number.isFinite(value)) moved(name, value, true);
    box.value = said;
    wrong.textContent = Number.isFinite(value) ? ends || rounded : `“${typed}” is not a number.`;
  };
  box.addEventListener('change', enter);
  box.addEventListener('keydown', event => {   // the focus stays: what is typed next replaces it
    if (event.key === 'Enter') enter();
    else if (event.key === 'Escape' && box.value !== said) {
      event.stopPropagation();         // else it would cancel a running computation, too
      box.value = said;
      wrong.textContent = '';
    } else return;
    box.select();
  });
  return {row, show(now, value, marks, text, edges) {
    const place = nearest(now, value), key = `${now}|${marks}|${edges}`;
    points = now;
    range.max = points.length - 1;
    range.value = place;
    [said, spoken] = [text(value), text];
    const found = placeEdges(points, edges), here = found.filter(([i]) => Math.abs(i - place) < 1).map(([, words]) => words.join('; '));
    range.setAttribute('aria-valuetext', [said, ...here].join('; '));
    box.value = said;
    wrong.textContent = '';
    const share = i => (points.length > 1 ? i / (points.length - 1) : 0);
    if (key !== drawn) box.style.width = `${Math.max(9, ...points.map(x => text(x).length + 1))}ch`;   // of the longest: nothing moves
    if (key !== drawn) ticks.replaceChildren(...placeTicks(points, marks, control.start).map(([i, paper, named]) => {
      const tick = document.createElement('span');
      tick.textContent = named ? shorten(points[i]) : '';
      tick.className = paper ? 'paper' : '';
      tick.title = paper ? `${text(points[i])}: the paper's` : text(points[i]);
      tick.dataset.place = i;
      tick.style.setProperty('--at', share(i));
      tick.addEventListener('click', () => { moved(name, points[i], true); range.focus(); });
      return tick;
    }), ...found.map(([i, words, decided]) => {
      const edge = document.createElement('i');
      edge.title = `${words.join('; ')}, all else as in the paper`;
      edge.className = decided ? '' : 'open';
      edge.style.setProperty('--at', share(i));
      return edge;
    }));
    drawn = key;
    for (const tick of ticks.querySelectorAll('span')) tick.classList.toggle('on', Number(tick.dataset.place) === place && points[place] === value);
  }};
}

function buildFrame(root) {            // the places of everything
  const host = add(root, 'div', {class: 'instrument', 'aria-busy': 'false'}), tour = add(host, 'div', {class: 'tour', role: 'group', 'aria-label': 'Guided tour'});
  const inner = add(host, 'div', {class: 'inner'}), controls = add(inner, 'div', {class: 'controls'}), shown = add(inner, 'div', {class: 'shown'});
  const which = add(controls, 'div', {class: 'which'}), figure = add(add(which, 'label', {}, 'Figure '), 'select', {'aria-label': 'Figure'});
  const preset = add(add(which, 'label', {}, 'Preset '), 'select', {'aria-label': 'Preset'}), say = add(controls, 'p', {class: 'say'});
  const main = add(controls, 'div', {class: 'rows main'}), marks = add(controls, 'p', {class: 'marks'}), more = add(controls, 'button', {type: 'button', class: 'more', 'aria-expanded': 'false'}, 'More settings');
  const others = add(controls, 'div', {class: 'rows others', hidden: ''}), stops = add(controls, 'p', {class: 'stops', role: 'status'}), head = add(shown, 'div', {class: 'head'}), playing = add(head, 'div', {class: 'playing'});
  const title = add(head, 'p', {class: 'title'}), stage = add(shown, 'div', {class: 'stage'}), tools = add(shown, 'div', {class: 'tools'});
  const cancel = add(playing, 'button', {type: 'button', title: 'Stop the running computation'}, 'Cancel'), bar = add(playing, 'progress', {max: 1, 'aria-label': 'Progress'});
  const said = add(shown, 'p', {class: 'said', role: 'status'}), alert = add(shown, 'p', {class: 'alert', role: 'alert'}), fixed = add(shown, 'div', {class: 'fixed'});
  for (const [mark, words] of [['paper', 'the paper’s value'], ['edge', 'a claim changes (grey: is open)']]) add(marks, 'span', {class: mark}, words);
  more.addEventListener('click', () => {
    const open = more.getAttribute('aria-expanded') === 'false';
    more.setAttribute('aria-expanded', open);
    others.hidden = !open;
  });
  return {host, tour, controls, figure, preset, say, main, more, others, stops, title, stage, tools, playing, cancel, bar, said, alert, fixed};
}

// facts: what banditlab/explorer/facts.py says. home: ask(values, preset, begins), moves(title) -> name to values, at(values),
// redraw(), cancel(), take: [icon, word, help, click] of its tools.
function openInstrument(root, facts, home) {
  const ui = buildFrame(root), rows = {};
  let values = facts.start, own = values, preset = '', front = null, step = null;   // own: without what a figure opens with

  const textOf = (name, value) => {
    const {values: known = [], texts = [], unit = ''} = facts.controls[name], place = known.indexOf(value);
    return place < 0 ? `${value} ${unit}`.trim() : texts[place];
  };
  const acting = moves => {            // the controls that do something
    const at = home.at(values), works = ([other, allowed]) => !(other in at) || allowed.includes(at[other]);
    return facts.order.filter(name => moves[name] && Object.entries(facts.controls[name].where || {}).every(works));
  };
  const reachable = (name, points) => points.filter(value => home.at({...values, [name]: value})[name] === value);   // a page has some positions at few settings
  const fill = (box, found) => {       // only what changed: to move a control takes the focus from it
    if (found.length === box.children.length && found.every((row, i) => row === box.children[i])) return;
    const held = document.activeElement;
    box.replaceChildren(...found);
    if (found.some(row => row.contains(held))) held.focus();
  };

  function show() {
    const about = facts.figures[values.figure], moves = home.moves(values.figure), names = acting(moves), at = home.at(values);
    const wanted = (front || about.main).filter(name => names.includes(name)), main = wanted.length ? wanted : names.slice(0, 1);
    const now = {...values, ...at}, base = {...facts.start, ...about.opens};   // as the claims of the figure have it
    for (const name of names) {
      rows[name] ||= makeRow(name, {...facts.controls[name], start: facts.start[name]}, move);
      const edges = about.edges.filter(([there]) => String(Object.keys(there)) === name).map(([there, ...told]) => [there[name], ...told]);
      rows[name].show(reachable(name, moves[name]), now[name], about.marks[name] || [], value => textOf(name, value), edges);
    }
    const here = about.edges.filter(([there, , decided]) => decided && about.names.every(name => now[name] === (name in there ? there : base)[name]));
    ui.stops.textContent = here.map(([, words, , sentence]) => `Claim ${words}: ${sentence}`).join(' ');
    fill(ui.main, main.map(name => rows[name].row));
    fill(ui.others, names.filter(name => !main.includes(name)).map(name => rows[name].row));
    ui.more.hidden = !ui.others.children.length;
    ui.figure.value = values.figure;
    ui.preset.value = facts.presets.some(one => one.title === preset && !one.say) ? preset : NO_PRESET;
    ui.say.textContent = step ? step.say : about.about;
    ui.say.classList.toggle('step', Boolean(step));
    for (const button of ui.tour.children) button.setAttribute('aria-pressed', String(Boolean(step) && button.dataset.title === step.title));
  }

  function ask(next, title, begins = true) {
    [values, preset] = [next, title];
    show();
    home.ask(values, preset, begins);
  }
  const move = (name, value, begins) => {
    if (value === values[name]) return;
    own = {...own, [name]: value};
    ask({...values, [name]: value}, '', begins);
  };
  const stand = one => {               // a step also says what to look at
    [step, front] = [one && one.say ? one : null, one && one.move.length ? one.move : null];
  };
  const choose = one => {              // a preset stands on the start
    stand(one);
    own = {...facts.start, figure: values.figure, ...one.values};
    ask(own, one.title);
  };
  const open = (next, kept = next, one = null) => {   // leaves the tour, or comes to a step of it
    stand(one);
    own = kept;
    ask(next, '');
  };

  const away = (select, lines) => lines.length && add(select, 'optgroup', {label: 'only in the notebook', disabled: ''}).append(...lines.map(line => new Option(line)));
  ui.figure.replaceChildren(...facts.titles.map(title => new Option(title)));
  away(ui.figure, facts.absent || []);   // figures that a page lacks
  ui.figure.parentElement.hidden = facts.titles.length < 2;
  ui.figure.addEventListener('change', () => {   // what the reader has moved stays; a figure opens at its own values, the first at the start
    const title = ui.figure.value, opens = title === facts.start.figure ? {} : facts.figures[title].opens;
    open({...own, ...opens, figure: title}, own);
  });
  const presets = facts.presets.filter(one => !one.say), elsewhere = facts.elsewhere || [];   // what a page lacks: title, and why
  ui.preset.replaceChildren(...[NO_PRESET, ...presets.map(one => one.title)].map(title => new Option(title)));
  away(ui.preset, elsewhere.map(([title, why]) => `${title}: ${why}`));
  ui.preset.parentElement.hidden = !presets.length && !elsewhere.length;
  ui.preset.addEventListener('change', () => { const one = presets.find(({title}) => title === ui.preset.value); if (one) choose(one); });
  facts.presets.filter(one => one.say).forEach((one, i) => {
    const button = add(ui.tour, 'button', {type: 'button', 'data-title': one.title, 'aria-pressed': 'false'}, `${i + 1} ${one.title}`);
    button.addEventListener('click', () => choose(one));
  });
  addTool(ui.tools, 'reset', 'Reset', 'Back to the start', () => open(facts.start));
  const against = add(add(ui.tools, 'label', {}, 'Compare with '), 'select', {'aria-label': 'Compare with'});
  against.replaceChildren(...['nothing', 'previous', 'start'].map(name => new Option(name)));
  const locked = document.createElement('input');
  locked.type = 'checkbox';
  add(ui.tools, 'label').append(locked, ' Lock axes');
  for (const changed of [against, locked]) changed.addEventListener('change', () => home.redraw());
  const seeds = add(ui.tools, 'label', {class: 'seed', hidden: ''}, 'Seed '), note = add(ui.tools, 'span', {class: 'heard', role: 'status'});
  home.take.forEach(one => addTool(ui.tools, ...one));
  let left = null;                     // where the focus was: the button that has it goes away
  ui.cancel.addEventListener('focus', event => { left = event.relatedTarget; });
  ui.cancel.addEventListener('click', () => {
    home.cancel();
    if (left) left.focus();
  });
  ui.host.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || ui.host.getAttribute('aria-busy') !== 'true') return;
    event.stopPropagation();           // JupyterLab would leave the cell
    home.cancel();
  });
  let timer = null;
  const busy = on => {                 // a short run would only flicker
    ui.host.setAttribute('aria-busy', String(on));
    if (on) timer ??= setTimeout(() => ui.playing.classList.add('on'), DELAY);
    else {
      timer = clearTimeout(timer);
      ui.playing.classList.remove('on');
    }
  };
  const progress = fraction => {
    if (fraction) ui.bar.value = fraction;
    else ui.bar.removeAttribute('value');   // nobody knows how far a compilation is
  };
  const set = (next, title) => {
    [values, own, preset] = [next, next, title];
    show();
  };
  show();
  return {...ui, set, open, step: () => step, busy, progress, note, seeds, against, locked, end: () => clearTimeout(timer)};
}
