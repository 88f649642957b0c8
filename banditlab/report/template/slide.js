// Sliders of a page without a kernel: they choose among precomputed figures, or the page plays. Uses shared.js, and from
// report.js draw; from page/player.js what plays.

const TOP_CODE = 65534, NO_NUMBER = 65535, FEW_POINTS = 12;   // codes of a grid; points that have ticks
const PLAYED = 'Computed in this page, from what the sliders say. What the notebook concludes stands here after Reset.';

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
  if (typeof wanted !== 'number') return Math.max(0, points.indexOf(wanted));
  const log = Math.min(...points, wanted) > 0;
  const far = x => log ? Math.abs(Math.log(x / wanted)) : Math.abs(x - wanted);
  return points.reduce((best, x, i) => (far(x) < far(points[best]) ? i : best), 0);
}

function sliders(panel, cell, facts, opened) {   // opened: what gives the page's player, or null where there is none
  const figure = panel.closest('figure'), plot = figure.querySelector('.plot');
  const original = figure.querySelector(':scope > script').textContent, first = {caption: null, title: null};
  const which = panel.querySelector('.which select'), rows = [...panel.querySelectorAll('.slider')];
  const seed = panel.querySelector('.seed input'), status = panel.querySelector('.said'), locked = panel.querySelector('[name="lock"]');
  const plays = opened ? facts.plays : {figures: {}, controls: {}, start: {}, refused: {}};
  const known = {...facts.figures, ...plays.figures}, titles = (plays.titles || facts.titles).filter(name => known[name]);
  const figures = Object.fromEntries(titles.map(name => [name, known[name]])), controls = {...facts.controls, ...plays.controls};
  const {template} = JSON.parse(original).layout, symbol = name => (controls[name] || {symbol: name}).symbol;
  const text = (name, value) => (controls[name] || {values: [], texts: []}).texts[(controls[name] || {values: []}).values.indexOf(value)] || String(value);
  let wanted = {...facts.start, ...plays.start}, title = figures[facts.start.figure] ? facts.start.figure : Object.keys(figures)[0];
  let shown = null, before = null, kept = null, moving = false, player = null;

  const axes = () => figures[title].axes;
  const place = name => nearest(axes()[name], wanted[name]);
  const words = state => state.original || state === begun ? 'the start' : Object.entries(state.at).map(([name, value]) => `${symbol(name)} = ${text(name, value)}`).join(', ');

  function computed(title, asked) {
    const {axes, order} = figures[title], places = order.map(name => nearest(axes[name], asked[name]));
    const at = Object.fromEntries(order.map((name, i) => [name, axes[name][places[i]]]));
    if (plays.figures[title]) return playable(title, {...plays.figures[title].fixed, ...at, seed: asked.seed});
    return {title, at, number: order.reduce((sum, name, i) => sum * axes[name].length + places[i], 0), original: false};
  }
  const playable = (title, at) => ({title, at, number: JSON.stringify(at), original: false, plays: true});
  const begun = computed(title, wanted);   // the start as the others are computed: as many runs and rounds
  const state = () => computed(title, wanted);

  const json = one => {
    if (one.original || (one.plays && one.number === begun.number && one.title === begun.title && one !== shown)) return original;
    const game = one.plays && player && player.recall(one.title, one.at), made = one.plays ? game && player.draw(game) : cell(one.title, one.number);
    if (!made) return null;
    made.layout.template = template;
    made.layout.uirevision = one.title;
    return JSON.stringify(made);
  };

  function ghost() {
    const asked = {previous: before, start: begun}[panel.querySelector('[name="against"]:checked').value];
    const other = asked && asked.original ? begun : asked;
    const differs = other && other.title === shown.title && other.number !== (shown.original ? begun : shown).number;
    return differs && json(other) ? other : null;
  }

  function told(one) {                 // what is computed, and how far it is
    const game = player && player.recall(one.title, one.at), {horizon, runs, seed} = one.at;
    if (!game) return 'Stopped. Move a slider, or press Reset.';
    if (game.error) return `This cannot be computed here: ${game.error}.`;
    const size = [horizon !== undefined && `T = ${horizon.toLocaleString('en')}`, `${runs} runs`, `seed ${seed}`].filter(Boolean).join(', ');
    if (game.complete) return `Computed here: ${size}.`;
    const speed = game.seconds > 0.5 ? `, ${(game.rounds / game.seconds / 1e6).toFixed(1)} million rounds a second` : '';
    return `Computing ${size}: ${Math.floor(100 * game.done / game.total)} %${speed}.`;
  }

  function hear(game) {                // something new of what is played
    const mine = shown.plays && player.recall(shown.title, shown.at) === game, bar = panel.querySelector('.playing');
    bar.hidden = !mine || game.complete || game.cancelled || Boolean(game.error) || game.seconds < 0.3;
    bar.querySelector('progress').value = game.done / game.total;
    if (game.cancelled) draw(plot);
    if (!mine) return;
    const now = performance.now(), due = game.complete || !game.drawn || now - game.drawn > 80 + game.cost;
    if (!due) return;
    const text = json(shown);
    if (!text) return;
    texts.set(plot, text);
    draw(plot);
    game.drawn = performance.now();
    game.cost = 3 * (game.drawn - now);   // to draw must not take more than a quarter of the time
  }

  async function playShown() {         // plays what is shown, as soon as the player is there
    const {at} = shown, mine = shown;
    player = player || await opened(hear);
    if (mine !== shown) return;
    const game = player.start(mine.title, at);
    hear(game);
  }

  plot.change = drawn => {             // report.js calls it with the painted figure, before plotly gets it
    const other = ghost();
    if (other) haunt(drawn, JSON.parse(json(other)));
    if (kept) lock(drawn, kept);
    const lost = kept ? outside(drawn, kept) : [];
    const asked = shown.original ? [] : Object.keys(shown.at).filter(name => wanted[name] !== shown.at[name]);
    status.textContent = [
      shown.original ? 'As the notebook shows it.' : shown.plays ? told(shown) : `${asked.length ? 'Nearest computed: ' : 'Shown: '}${words(shown)}.`,
      asked.length && !shown.plays ? `Asked for ${asked.map(name => `${symbol(name)} = ${text(name, wanted[name])}`).join(', ')}.` : '',
      other ? `Faint lines: ${words(other)}.` : '',
      lost.length ? `Outside the locked axes: ${lost.join(', ')}.` : '',
    ].filter(Boolean).join(' ');
  };

  function setRows() {
    const at = computed(title, wanted).at;
    for (const row of rows) {
      const name = row.dataset.name, points = axes()[name], input = row.querySelector('input, select'), ticks = row.querySelector('.ticks');
      const where = (controls[name] || {}).where || {};
      row.hidden = !points || Object.entries(where).some(([other, allowed]) => other in at && !allowed.includes(at[other]));
      if (!points) continue;
      const words = points.map(value => text(name, value));
      if (input.options) input.replaceChildren(...words.map((word, i) => new Option(word, i)));
      else input.max = points.length - 1;
      input.value = place(name);
      row.querySelector('output').textContent = input.options ? '' : words[input.value];
      input.setAttribute('aria-valuetext', `${symbol(name)} = ${words[input.value]}`);
      const few = points.length <= FEW_POINTS && !input.options;
      ticks.replaceChildren(...(few ? points : []).map((x, i) => {
        const tick = document.createElement('span');
        tick.textContent = x;
        tick.style.setProperty('--at', points.length > 1 ? i / (points.length - 1) : 0);
        tick.classList.toggle('on', i === Number(input.value));
        tick.addEventListener('click', () => { input.value = i; input.dispatchEvent(new Event('input')); input.dispatchEvent(new Event('change')); input.focus(); });
        return tick;
      }));
    }
    seed.value = wanted.seed;
    seed.closest('label').hidden = !plays.figures[title] || plays.figures[title].drawn;
    panel.querySelector('.fixed').textContent = aside();
  }

  function aside() {                   // what the sliders do not move
    if (plays.figures[title]) {
      const {hidden, drawn, said} = plays.figures[title], parts = said.length ? [`Fixed here: ${said.join(', ')}. The notebook moves them too.`] : [];
      if (hidden.length) parts.push(`Left out while you play: ${hidden.join('; ')}.`);
      if (drawn) parts.push(`The worlds of its runs were drawn beforehand, with seed ${facts.plays.start.seed}.`);
      return parts.join(' ');
    }
    const words = facts.figures[title].said.join(', ');
    const sentence = shown.original ? `The sliders choose among figures computed with ${words}.` : `Fixed here: ${words}. The notebook moves them too.`;
    const refused = plays.refused[title];
    return [words ? sentence : '', refused ? `This page cannot play it: ${refused}.` : '', facts.plays && !opened ? 'This browser has no WebAssembly: with it the page plays every position itself.' : ''].join(' ').trim();
  }

  function show(next) {
    if (shown && next.title !== shown.title) { kept = before = null; locked.checked = false; }
    shown = next;
    const whole = json(next), heading = figure.querySelector('.title'), says = figure.querySelector('.says');
    const layout = whole ? JSON.parse(whole).layout : {};
    if (first.caption === null) Object.assign(first, {caption: says.innerHTML, title: heading.textContent});
    if (whole || !next.plays) texts.set(plot, next.original ? undefined : whole);   // until something is played the figure before stays
    heading.textContent = next.original ? first.title : (layout.title || {}).text || next.title;
    if (next.original) says.innerHTML = first.caption;
    else spell(says, next.plays ? PLAYED : (layout.meta || {}).caption || '');
    says.classList.toggle('back', Boolean(next.plays));
    plot.setAttribute('aria-label', next.original ? plot.dataset.alt : `Chart. ${next.title}: ${words(next)}. ${(layout.meta || {}).alt || ''}`);
    figure.taken = next.original ? null : {...(next.plays ? {} : facts.figures[title].fixed), ...next.at, figure: title};
    figure.played = Boolean(next.plays);
    setRows();
    draw(plot);
    if (next.plays) playShown();
  }

  for (const row of rows) {
    const input = row.querySelector('input, select'), name = row.dataset.name;
    input.addEventListener('input', () => {
      if (!moving) before = shown;     // one gesture, one ghost: not the positions that a drag passes
      moving = true;
      wanted[name] = axes()[name][input.value];
      show(state());
    });
    input.addEventListener('change', () => { moving = false; });
  }
  seed.addEventListener('change', () => {
    before = shown;
    wanted.seed = Math.max(0, Math.floor(Number(seed.value) || 0));
    show(state());
  });
  if (opened) {                        // the player is made ready when a reader is about to play
    const ready = async () => {
      panel.removeEventListener('pointerenter', ready);
      panel.removeEventListener('focusin', ready);
      player = player || await opened(hear);
      if (!shown.plays && plays.figures[title]) player.warm(title, computed(title, wanted).at);
    };
    panel.addEventListener('pointerenter', ready);
    panel.addEventListener('focusin', ready);
    panel.querySelector('.playing button').addEventListener('click', () => player.cancel());
  }
  which.replaceChildren(...Object.keys(figures).map(name => new Option(name)));
  which.addEventListener('change', () => { title = which.value; show(state()); });
  panel.querySelectorAll('[name="against"]').forEach(e => e.addEventListener('change', () => draw(plot)));
  locked.addEventListener('change', () => { kept = locked.checked ? ranges(plot) : null; draw(plot); });
  const reset = () => {
    before = shown;
    wanted = {...facts.start, ...plays.start};
    if (figures[facts.start.figure]) title = facts.start.figure;
    which.value = title;
    show({title, original: true});
  };
  panel.querySelector('.reset').addEventListener('click', reset);
  const fromAddress = () => {          // #figure-3?gap=0.4&d=5 is a link to a state
    const [id, query] = location.hash.slice(1).split('?');
    if (id !== figure.id || !query) return;
    for (const [name, value] of new URLSearchParams(query)) {
      if (name === 'figure' && figures[value]) title = which.value = value;
      else if ((controls[name] || name === 'seed') && value !== '') wanted[name] = isFinite(value) ? Number(value) : value;
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
  const packed = document.getElementById('plays');
  let plays = null;                    // unpacked when somebody is about to play
  const opened = packed && canPlay() ? async tell => openPlayer(await (plays = plays || unpackPlays(packed.textContent)), tell) : null;
  for (const panel of document.querySelectorAll('.slides')) {
    const facts = JSON.parse(panel.querySelector('script.facts').textContent);
    sliders(panel, await unpackGrid(document.getElementById(panel.dataset.grid).textContent), facts, facts.plays ? opened : null);
  }
}
