// The button in a row of the ledger that plays its runs anew, and what they come to. Uses judge.js and player.js.

const DRAWN = 5, WIDTH = 336, TRACK = 27;   // measures in a drawing, its width, the height of a track

const shortly = x => (Number.isNaN(x) ? 'undefined' : x === null || !Number.isFinite(x) ? (x > 0 ? '∞' : '−∞') : Math.abs(x) >= 1000 ? Math.round(x).toLocaleString('en') : String(Number(x.toPrecision(3)))).replace(/^-/, '−');

const spokenSpan = (low, high) => (low < high ? ` [${shortly(low)}, ${shortly(high)}]` : '');

function svg(name, facts, text) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  Object.entries(facts).forEach(([key, value]) => e.setAttribute(key, value));
  if (text !== undefined) e.textContent = text;
  return e;
}

function drawLane(rule, marks, top) {  // as banditlab/evidence/picture.py, with a mark more; a mark: css, value, low, high
  const limits = [...new Set([...rule.holds, ...(rule.fails || [])])].filter(x => x !== null).sort((a, b) => a - b);
  const points = [...marks.flatMap(({value, low, high}) => [value, low, high]), ...limits].filter(x => x !== null && Number.isFinite(x));
  const log = rule.axis === 'log' && Math.min(...points) > 0, bend = log ? Math.log : x => x;
  const pad = 0.12 * (bend(Math.max(...points)) - bend(Math.min(...points))) || 0.5, first = bend(Math.min(...points)) - pad, last = bend(Math.max(...points)) + pad;
  const place = x => Math.min(1, Math.max(0, ((x === Infinity ? last : x === -Infinity || (log && x <= 0) ? first : bend(x)) - first) / (last - first))) * WIDTH;
  const ends = ([low, high]) => [low === null ? -Infinity : low, high === null ? Infinity : high];
  const zone = css => pair => {
    const [a, b] = ends(pair).map(place);
    return svg('rect', {class: css, x: a, y: top, width: Math.max(0, b - a), height: TRACK, rx: 3});
  };
  const parts = [zone('yes')(rule.holds), ...failingOf(rule).map(zone('no')), ...limits.flatMap(x => [
    svg('path', {class: 'limit', d: `M${place(x)} ${top - 2}v${TRACK + 4}`}),
    svg('text', {x: Math.min(WIDTH - 18, Math.max(18, place(x))), y: top + TRACK + 12, 'text-anchor': 'middle'}, shortly(x)),
  ])];
  marks.forEach(({css, value, low, high}, i) => {
    const y = top + 5.5 + 8 * i, [a, b] = ends([low, high]).map(place);
    if (b - a > 1) parts.push(svg('path', {class: css, d: `M${a} ${y}H${b}`, 'stroke-width': 1.6}));
    if (value !== null && Number.isFinite(value)) parts.push(svg('circle', {class: css, cx: place(value), cy: y, r: 3.2, 'stroke-width': 1.6}));
  });
  return parts;
}

function drawAgain(measures, known) {  // the reader's intervals under those of this run and of the paper's size
  const picture = svg('svg', {class: 'range', role: 'img'}), several = new Set(measures.map(one => one.reading)).size > 1;
  const shown = [...measures].sort((a, b) => RANK[a.answer] - RANK[b.answer]).slice(0, DRAWN);
  let top = 2;
  for (const one of measures.filter(measure => shown.includes(measure))) {
    const same = known.filter(mark => mark.reading === one.reading && mark.what === one.what), said = minus(several ? `${one.reading} · ${one.what}` : one.what);
    picture.append(svg('text', {x: 0, y: top + 10}, said.length > 50 ? `${said.slice(0, 49)}…` : said), svg('text', {x: WIDTH, y: top + 10, 'text-anchor': 'end', class: 'yours'}, shortly(one.value)));
    picture.append(...drawLane(one, [...same, {css: 'yours', value: one.value, low: one.low, high: one.high}], top + 16));
    top += 16 + TRACK + 16;
  }
  picture.setAttribute('viewBox', `0 0 ${WIDTH} ${top}`);
  picture.setAttribute('aria-label', measures.map(one => `${one.what}: yours ${shortly(one.value)}${spokenSpan(one.low, one.high)}`).join('; '));
  return picture;
}

const minus = text => text.replace(/ - /g, ' − ');

function spokenMeasure({what, value, low, high, unit, name, cases, held, failed}) {
  const counts = cases > 1 ? [`${held} of ${cases} hold`, failed ? `${failed} fail` : '', held + failed < cases ? `${cases - held - failed} open` : ''].filter(Boolean).join(', ') : '';
  const where = [name, counts].filter(Boolean).join('; ');
  return `${minus(what)} ${shortly(value)}${spokenSpan(low, high)}${unit ? ` ${unit}` : ''}${where ? ` (${where})` : ''}`;
}

function spokenMeasures(measures) {    // reading by reading, where there are several
  const readings = [...new Set(measures.map(one => one.reading))];
  const said = readings.map(name => measures.filter(one => one.reading === name).map(spokenMeasure).join(', '));
  return said.map((words, i) => (readings.length > 1 ? `${readings[i]}: ${words}` : words)).join('; ');
}

function offerAgain(slot, known, play) {
  const make = (name, facts) => Object.assign(document.createElement(name), facts), name = slot.dataset.claim;
  const button = make('button', {type: 'button', textContent: 'Play it again'}), label = make('label', {textContent: 'with your seed '});
  const seed = make('input', {type: 'number', min: 0, max: 2 ** 40, step: 1, value: 1 + Math.floor(Math.random() * 99999)}), said = make('span', {}), drawn = make('span', {className: 'drawn'});
  said.setAttribute('role', 'status');
  label.append(seed);
  slot.append(button, label, said, drawn);
  let stop = null;
  const done = found => {
    button.textContent = 'Play it again';
    stop = null;
    if (!found.verdict) { said.textContent = found.cancelled ? 'Stopped.' : `It cannot be played here: ${found.error}.`; return; }
    const runs = [...new Set(found.runs)].sort((a, b) => a - b), looks = found.most > 1 ? `, look ${found.looks} of at most ${found.most}` : '';
    said.replaceChildren(make('b', {textContent: found.verdict}), ` with seed ${found.seed}, ${runs.length > 1 ? `${runs[0]} to ${runs.at(-1)}` : runs[0]} runs${looks}: ${spokenMeasures(found.measures.slice(0, DRAWN))}`);
    const others = known.some(mark => mark.css === 'then') ? '; hollow: the paper’s size' : '';
    drawn.replaceChildren(drawAgain(found.measures, known), make('small', {textContent: `Coloured: your runs; filled: this run${others}. Green: holds; red: fails.`}));
    slot.parentElement.querySelectorAll(':scope > .range, :scope > .key').forEach(e => e.setAttribute('hidden', ''));   // drawn anew
  };
  const tell = game => { said.textContent = `${Math.floor((100 * game.done) / Math.max(1, game.total))} % of a look …`; };
  button.addEventListener('click', async () => {
    if (stop) { stop(); return; }
    const own = Math.min(2 ** 40, Math.max(0, Math.floor(Number(seed.value) || 0)));
    Object.assign(seed, {value: own});
    button.textContent = 'Cancel';
    said.textContent = 'It begins …';
    stop = () => null;                 // a second click waits for what can be stopped
    const found = await play(name, own, tell, cancel => { stop = cancel; }).catch(error => ({error: error.message}));
    done({...found, seed: own});
  });
}

function startAgain() {                // one player for all rows; it is hired when a row is played and leaves with its end
  const {replays} = JSON.parse(document.getElementById('page').textContent), packed = document.getElementById('plays');
  if (!replays || !packed || !canPlay()) return;
  let unpacked = null;
  const play = async (name, seed, tell, stops) => {
    const plays = await (unpacked = unpacked || unpackPlays(packed.textContent));
    let ended = null;
    const player = openPlayer(plays, game => { tell(game); if (game.complete || game.error || game.cancelled) ended(game); });
    stops(player.cancel);
    const one = game => new Promise(resolve => { ended = resolve; if (player.begin(game).complete) resolve(game); });
    try { return await judgeAgain(plays, one, name, seed); } finally { player.close(); }
  };
  for (const slot of document.querySelectorAll('.again')) if (replays[slot.dataset.claim]) offerAgain(slot, replays[slot.dataset.claim], play);
}

startAgain();
