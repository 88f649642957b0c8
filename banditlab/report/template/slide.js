// Sliders of a page without a kernel: they choose among precomputed figures, or the page plays. Uses shared.js and
// instrument.js, and from report.js draw; from page/player.js what plays.

const NO_NUMBER = 65535, LINKED = 400;   // a code of a grid; ms after which the address follows
const FRAMED = location.protocol === 'about:';   // in a saved notebook: the page has no address
const PLAYED = 'Computed in this page at the values of the sliders. Reset brings back the figure of the notebook, and what it concludes.';

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

function nameGone(here, begun) {   // policies of the start that cannot play here, by name: their names stay above the frame
  const gone = [...new Set(begun)].filter(name => !here.includes(name));
  const fewer = new Set(begun).size - new Set(here).size;   // with as many as before they only have other names
  return Object.fromEntries((gone.length > fewer ? [] : gone).map(name => [name, 'cannot play at these settings']));
}

function sliders(panel, cell, facts, opened, leading) {   // opened: what gives the page's player, or null; leading: of its page
  const figure = panel.closest('figure'), plot = figure.querySelector('.plot');
  const raw = JSON.parse(figure.querySelector(':scope > script').textContent), first = {caption: figure.querySelector('.says').innerHTML, title: figure.querySelector('.title').textContent};
  const plays = opened ? facts.plays : {figures: {}, controls: {}, start: {}, refused: {}};
  const known = {...facts.figures, ...plays.figures}, titles = (plays.titles || facts.titles).filter(name => known[name]);
  const figures = Object.fromEntries(titles.map(name => [name, known[name]])), controls = {...facts.controls, ...plays.controls};
  const {template} = raw.layout, symbol = name => ((controls[name] && about.controls[name]) || {symbol: name}).symbol;
  const text = (name, value) => (controls[name] || {values: [], texts: []}).texts[(controls[name] || {values: []}).values.indexOf(value)] || String(value);
  const start = {...facts.start, ...plays.start, figure: figures[facts.start.figure] ? facts.start.figure : titles[0]};
  const original = JSON.stringify({...raw, layout: {...raw.layout, uirevision: start.figure}});
  let wanted = start, title = start.figure, shown = null, described = null, before = null, kept = null, player = null, opening = null, linked = null, stopped = null;

  const words = (state, than) => {     // where its sliders stand; where they stand elsewhere than in another state
    if (state.original || state.first) return 'the start';
    const told = Object.entries(state.at).filter(([name, value]) => !than || value !== than.at[name]);
    return told.map(([name, value]) => `${symbol(name)} = ${text(name, value)}`).join(', ') || 'the start';
  };

  function computed(title, asked) {    // a setting that the page has, else the nearest position: one control may stand
    // anywhere, where the others are as at first
    const {axes, order, joint = {}, single = {}, base = {}, wanted: known = {names: [], values: []}} = figures[title];
    const near = (name, points) => nearest(points, typeof asked[name] === 'number' || points.includes(asked[name]) ? asked[name] : start[name]);
    const places = order.map(name => near(name, axes[name])), at = Object.fromEntries(order.map((name, i) => [name, axes[name][places[i]]]));
    if (!known.values.some(values => values.every((value, i) => value === asked[known.names[i]]))) {
      for (const name in single) at[name] = single[name][near(name, single[name])];
      if (Object.keys(base).filter(name => at[name] !== base[name]).length > 1) for (const name in joint) at[name] = joint[name][near(name, joint[name])];
    }
    const {fixed, drawn} = plays.figures[title] || {};
    if (fixed) return playable(title, {...fixed, ...at, seed: drawn ? plays.start.seed : asked.seed});
    return {title, at, number: order.reduce((sum, name, i) => sum * axes[name].length + places[i], 0), original: false};
  }
  const playable = (title, at) => ({title, at, number: JSON.stringify(at), original: false, plays: true});
  const begun = computed(title, wanted);   // the start as the others are computed: as many runs and rounds
  const state = () => computed(title, wanted);

  const about = facts.instrument, axesOf = title => figures[title].axes;
  const lacks = ({values, say, move}) => {   // why the page cannot show a preset as it is; steps may have other runs and rounds,
    // but the control that a step is about must move
    const at = {...about.start, ...values}, title = values.figure || start.figure;
    if (!figures[title]) return 'the page has no sliders for its figure';
    const there = {...about.start, ...figures[title].fixed, ...computed(title, {...start, ...at}).at}, free = say ? ['horizon', 'runs'] : [];
    const missing = about.figures[title].names.filter(name => at[name] !== there[name] && !free.includes(name));
    if (say && move.length && !(move[0] in axesOf(title))) missing.push(move[0]);
    return missing.map(name => `${about.controls[name].symbol} = ${{true: 'on', false: 'off'}[at[name]] || text(name, at[name])}`).join(', ');
  };
  const reasons = new Map(about.presets.map(one => [one, lacks(one)]));
  const spec = {
    ...about, titles, absent: about.titles.filter(name => !figures[name]), start, presets: about.presets.filter(one => !reasons.get(one)),
    elsewhere: about.presets.filter(one => !one.say && reasons.get(one)).map(one => [one.title, reasons.get(one)]),
    controls: Object.fromEntries(about.order.map(name => [name, {...about.controls[name], ...controls[name]}])),
  };
  const steps = spec.presets.filter(one => one.say);
  const link = () => copyText(location.href.split('#')[0] + address(), it.note);
  const it = openInstrument(panel, spec, {
    moves: axesOf, at: values => computed(values.figure, values).at, cancel: () => player && player.cancel(),
    take: [...takeAway(figure, () => it.note), ...(FRAMED ? [] : [['link', 'Copy link', 'Copy a link that opens this page at this setting', link]])],
    ask(next, preset, begins) {
      if (begins) before = described;  // one gesture, one ghost: not the positions that a drag passes
      [wanted, title] = [next, next.figure];
      show(next === start ? {title, original: true} : state());
      follow();
    },
    redraw() {
      kept = it.locked.checked ? kept || ranges(plot) : null;
      draw(plot);
      playOther();
    },
  });
  const seed = add(it.seeds, 'input', {type: 'number', min: 0, step: 1});

  const json = one => {
    if (one.original || (one.plays && one.number === begun.number && one.title === begun.title && one !== shown)) return original;
    const game = recall(one), any = game && (game.done || game.complete || game.error);   // before that there is nothing to draw
    const made = one.plays ? any && player.draw(game) : cell(one.title, one.number);
    if (!made) return null;
    made.layout.template = template;
    made.layout.uirevision = one.title;
    if (game) {
      const gone = nameGone(...[one.at, computed(one.title, start).at].map(at => player.policies(one.title, at)));
      made.layout.meta = {...made.layout.meta, left: {...gone, ...(made.layout.meta || {}).left}};
    }
    return JSON.stringify(made);
  };

  function other() {                   // what the reader compares with, where it is not what is shown
    const first = {...computed(shown.title, start), first: true}, asked = {previous: before, start: first}[it.against.value];
    const one = asked && asked.original ? first : asked;
    return one && one.title === shown.title && one.number !== (shown.original ? first : shown).number ? one : null;
  }

  const recall = one => one.plays && player && player.recall(one.title, one.at);
  const fails = one => one.wrong || (recall(one) || {}).error;
  const isWhole = one => !one.plays || (recall(one) || {}).complete;

  function ghost() {                   // the same, as far as it is computed
    const one = other();
    return one && (isWhole(one) || json(one) === original) && json(one) ? one : null;
  }

  function playOther() {               // nobody waits for it: what is shown comes first
    const one = other();
    if (one && player && isWhole(shown) && !json(one)) hear(player.start(one.title, one.at));
  }

  function told(one) {                 // what is computed, and how far it is
    const game = recall(one), {horizon, runs, seed} = one.at;
    const size = [horizon !== undefined && `T = ${horizon.toLocaleString('en')}`, runs && `${runs.toLocaleString('en')} runs`, `seed ${seed}`].filter(Boolean).join(', ');
    if (one.wrong) return `This cannot be computed here: ${one.wrong}.`;
    if (!game && one !== stopped) return `Computing ${size}.`;
    if (!game) return `Stopped${described === one ? `. Complete: ${figure.partial}` : ' before the first run: the figure is the one before'}. Move a slider, or press Reset.`;
    if (game.error) return `This cannot be computed here: ${game.error}.`;
    if (plays.figures[one.title].exact) return 'Computed in advance.';
    if (!game.total) return 'The figure cannot be played with these settings.';
    if (game.complete) return `Computed here: ${size}.`;
    const speed = game.seconds > 0.5 ? `, ${(game.rounds / game.seconds / 1e6).toFixed(1)} million rounds a second` : '';
    return `Computing ${size}: ${Math.floor(100 * game.done / game.total)} %${speed}.`;
  }

  function hear(game) {                // something new of what is played
    const mine = recall(shown) === game;
    it.busy(mine && !game.complete && !game.cancelled && !game.error);
    it.progress(game.done / game.total);
    if (game.cancelled) stopped = shown;
    if (game.cancelled || (!mine && game.complete)) draw(plot);
    if (game.complete) playOther();
    if (!mine) return;
    const now = performance.now(), due = game.complete || game.error || !game.drawn || now - game.drawn > 80 + game.cost;
    if (!due) return;
    const text = json(shown);
    if (!text) return;
    texts.set(plot, text);
    figure.partial = game.complete ? '' : `${game.done.toLocaleString('en')} of ${game.total.toLocaleString('en')} runs of all curves`;
    if (described !== shown || game.complete) describe(shown, text);
    if (plays.figures[shown.title].exact) spell(figure.querySelector('.says'), game.parts.layout.meta.caption);   // of a formula: it concludes anew
    draw(plot);
    game.drawn = performance.now();
    game.cost = 3 * (game.drawn - now);   // to draw must not take more than a quarter of the time
  }

  async function playShown() {         // plays what is shown, as soon as the player is there
    const mine = shown;
    try {
      await makeReady();
      if (mine === shown) hear(player.start(mine.title, mine.at));
    } catch (error) {                  // no curves of another setting under this one
      if (mine !== shown) return;
      mine.wrong = error.message;
      texts.set(plot, JSON.stringify({data: [], layout: {template, uirevision: mine.title}}));
      figure.partial = '';
      describe(mine, texts.get(plot));
      it.busy(false);
      draw(plot);
    }
  }

  async function makeReady() {         // one player, whoever asks first
    player = await (opening = opening || opened(hear));
  }

  plot.change = drawn => {             // report.js calls it with the painted figure, before plotly gets it
    const faint = (described || shown).title === shown.title ? ghost() : null;
    if (faint) haunt(drawn, JSON.parse(json(faint)));
    if (kept) lock(drawn, kept);
    const lost = kept ? outside(drawn, kept) : [];
    const axes = axesOf(shown.title), first = {...about.start, ...start}, mine = {...first, ...wanted}, there = {...first, ...figures[shown.title].fixed, ...shown.at};
    const asked = shown.original ? [] : about.figures[shown.title].names.filter(name => mine[name] !== there[name] && (name in axes || mine[name] !== first[name]));
    const {hidden = [], switched} = (described === shown && !fails(shown) && shown.plays && plays.figures[shown.title]) || {};   // a named setting has all bounds
    const lacking = drawn.data.some(t => hidden.includes(t.name)) ? [] : hidden.filter(name => switched[name].every(one => there[one]));
    const {single = {}} = figures[shown.title], alone = asked.some(name => (single[name] || axes[name] || []).includes(mine[name]));   // the page has it, at the start of all others
    const lacks = !shown.plays ? 'Asked for' : alone ? 'Available only while the other sliders stand where they began:' : 'Not available here:';
    it.said.textContent = [
      shown.original ? 'As the notebook shows it.' : shown.plays ? told(shown) : `${asked.length ? 'Nearest computed: ' : 'Shown: '}${words(shown)}.`,
      asked.length ? `${lacks} ${asked.map(name => `${symbol(name)} = ${text(name, mine[name])}`).join(', ')}.` : '',
      lacking.length > 2 ? 'Bounds are not drawn at this setting.' : lacking.length ? `Not drawn at this setting: ${lacking.join(', ')}.` : '',
      faint ? `Faint lines: ${words(faint, shown.original ? begun : shown)}.` : '',
      other() ? '' : {previous: 'Nothing to compare with yet: move a slider.', start: 'This is the start, nothing to compare with.'}[it.against.value],
      lost.length ? `Outside the locked axes: ${lost.join(', ')}.` : '',
    ].filter(Boolean).join(' ');
  };

  function aside() {                   // what the sliders do not move
    if (plays.figures[title]) {
      const {hidden, drawn, said} = plays.figures[title], parts = said.length ? [`Fixed here, but not in the running notebook: ${said.join(', ')}.`] : [];
      if (hidden.length) parts.push(`Curves left out while you play, unless a preset shows them: ${hidden.join('; ')}.`);
      const {runs = []} = axesOf(title), last = runs.at(-1);
      if (drawn) parts.push(`Its instances were drawn in advance, with seed ${facts.plays.start.seed}.`);
      if (last && last < about.controls.runs.most) parts.push(`At most ${last} runs: each has an instance of its own, drawn in advance.`);
      return parts.join(' ');
    }
    const words = facts.figures[title].said.join(', ');
    const sentence = shown.original ? `The sliders choose among figures computed with ${words}.` : `Fixed here, but not in the running notebook: ${words}.`;
    const refused = plays.refused[title];
    return [words ? sentence : '', refused ? `This page cannot play it: ${refused}.` : '', facts.plays && !opened ? 'This browser runs no WebAssembly, so it shows the nearest figures computed in advance.' : ''].join(' ').trim();
  }

  function tellAside() {               // while the page plays it is folded: the size of a figure stands in its status line
    const told = aside(), folds = Boolean(plays.figures[title]);
    it.fixed.hidden = !told;
    if (!folds) it.fixed.textContent = told;
    else if (it.fixed.querySelector('details')) it.fixed.querySelector('p').textContent = told;
    else {
      it.fixed.textContent = '';
      const details = add(it.fixed, 'details');
      add(details, 'summary', {}, 'What else differs from the notebook');
      add(details, 'p', {}, told);
    }
  }

  function describe(next, whole) {     // words and exports, once what they are about is drawn
    const heading = figure.querySelector('.title'), says = figure.querySelector('.says'), tests = figure.querySelector('.tests');
    const {data = [], layout = {}} = whole ? JSON.parse(whole) : {}, {parts = {traces: []}} = recall(next) || {};
    const thin = parts.traces.some(({trace, line}) => line && line.statistic === 'quantile' && line.told === 0.5 && trace.showlegend === false);
    const caption = figure.querySelector('figcaption');
    const keys = [...listKeys(data).map(t => `Bands: ${t.name}.`), ...(thin ? ['Thin lines: medians.'] : [])];   // else only the caption of the notebook says so
    if (described.original) caption.style.minHeight = next.original ? '' : `${caption.offsetHeight}px`;   // the page below stays where it is
    described = next;
    heading.textContent = next.original ? first.title : (layout.title || {}).text || (next.title === start.figure ? first.title : next.title);
    if (next.original) says.innerHTML = first.caption;
    else spell(says, fails(next) ? '' : next.plays ? [PLAYED, ...keys].join(' ') : (layout.meta || {}).caption || '');
    says.classList.toggle('back', Boolean(next.plays));
    if (tests) tests.hidden = next.title !== start.figure;   // other figures test other claims
    const than = next.original ? '' : words(next, computed(next.title, start));
    plot.setAttribute('aria-label', next.original ? plot.dataset.alt : `Chart. ${next.title}: ${than}. ${(layout.meta || {}).alt || ''}`);
    figure.taken = next.original ? null : {...(next.plays ? {} : facts.figures[next.title].fixed), ...next.at, figure: next.title};
    figure.played = Boolean(next.plays);
  }

  function show(next) {
    if (shown && next.title !== shown.title) { kept = before = null; it.locked.checked = false; }
    shown = next;
    const whole = json(next);
    if (whole || !next.plays) {        // until something is played the figure before stays, with its words
      texts.set(plot, whole);
      figure.partial = '';
      describe(next, whole);
    }
    seed.value = wanted.seed;
    it.seeds.hidden = !plays.figures[title] || plays.figures[title].drawn || plays.figures[title].exact;
    tellAside();
    draw(plot);
    if (next.plays) playShown();
  }

  seed.addEventListener('change', () => {
    before = described;
    wanted = {...wanted, seed: readSeed(seed.value)};
    it.set(wanted, '');
    show(state());
    follow();
  });
  if (opened) {                        // the player is made ready when a reader is about to play
    const ready = async () => {
      await makeReady();
      if (!shown.plays && plays.figures[title]) player.warm(title, computed(title, wanted).at);
    };
    const early = () => ready().catch(() => null);   // what goes wrong is said when it is played
    panel.addEventListener('pointerenter', early, {once: true});
    panel.addEventListener('focusin', early, {once: true});
  }
  const address = () => {              // a link to what is shown: #figure=Regret&gap=0.4&d=5
    const here = {...wanted, ...shown.at};   // where a control stands, not what it was asked for
    const moved = about.order.filter(name => figures[title].axes[name] && here[name] !== start[name]).map(name => [name, here[name]]);
    const seeds = plays.figures[title] && wanted.seed !== start.seed ? [['seed', wanted.seed]] : [];
    const told = steps.indexOf(it.step()) + 1;
    return `#${new URLSearchParams([['figure', title], ...moved, ...seeds, ...(told ? [['step', told]] : [])])}`;
  };
  function follow() {                  // the address follows what is shown
    clearTimeout(linked);
    if (!FRAMED) linked = setTimeout(() => history.replaceState(null, '', shown.original ? location.href.split('#')[0] : address()), LINKED);
  }
  const fromAddress = () => {          // #figure=Regret&d=5, or behind a place of the page: #claims?figure=Regret&d=5
    const [place, setting = place] = location.hash.slice(1).split('?'), query = new URLSearchParams(setting), asked = query.get('figure');
    if (!setting.includes('=')) {      // who goes to another place takes the setting along
      if (place && leading && !shown.original) history.replaceState(null, '', `#${place}?${address().slice(1)}`);
      return;
    }
    if (asked === null ? !leading : !Object.hasOwn(figures, asked)) return;
    const next = {...start, ...readSetting(query, spec.controls), figure: asked || start.figure};
    it.open(next, next, steps[query.get('step') - 1]);
    if (place === setting) figure.scrollIntoView();
  };
  addEventListener('hashchange', fromAddress);
  shown = described = {title, original: true};
  it.title.replaceWith(figure.querySelector('.title') || it.title);
  it.stage.append(figure.querySelector('.scroll'));
  tellAside();
  seed.value = wanted.seed;
  it.seeds.hidden = !plays.figures[title] || plays.figures[title].drawn || plays.figures[title].exact;
  it.said.textContent = 'As the notebook shows it. Move a slider.';
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
    if (part in pageFacts.formulas) formula.innerHTML = pageFacts.formulas[part];   // MathML, made when the page was
    else formula.textContent = part;
    return formula;
  }));
}

async function startSliders() {
  const packed = document.getElementById('plays');
  let plays = null;                    // unpacked when somebody is about to play
  const opened = packed && canPlay() ? async tell => openPlayer(await (plays = plays || unpackPlays(packed.textContent)), tell) : null;
  for (const [i, panel] of document.querySelectorAll('.slides').entries()) {
    const facts = JSON.parse(panel.querySelector('script.facts').textContent);
    sliders(panel, await unpackGrid(document.getElementById(panel.dataset.grid).textContent), facts, facts.plays ? opened : null, i === 0);
  }
}
