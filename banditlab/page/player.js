// Plays figures in two workers: the newest state is played, runs of earlier states are remembered.

const CREW = 2, REMEMBERED = 40, LONG = 250;   // workers; states; ms after which a run is not waited for
const WARM = {horizon: 2000, runs: 6};          // a browser optimises between calls: short ones come first

const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);   // the least module: some browsers have WebAssembly and refuse to compile

const canPlay = () => typeof WebAssembly === 'object' && typeof Worker === 'function' && mayCompile();

function mayCompile() {
  try { return Boolean(new WebAssembly.Module(EMPTY)); } catch { return false; }
}

function openPlayer(plays, tell) {     // tell(game) is called with whatever is new of the game that is played
  const source = new Blob([document.getElementById('play-worker').textContent], {type: 'text/javascript'});
  const address = URL.createObjectURL(source), compiled = new Map(), games = new Map();
  let crew = [], job = 0, now = null, heard = 0;

  const hire = () => {
    crew = Array.from({length: CREW}, () => Object.assign(new Worker(address), {has: new Set(), onmessage: hear, onerror: lose}));
  };
  const fire = () => {
    crew.forEach(worker => worker.terminate());
    crew = [];
  };

  function hear({data}) {
    if (!now || data.job !== job) return;
    heard = performance.now();
    if (data.error) { fail(data.error); return; }
    for (const {name, run, regret} of data.found || []) {
      now.regret[name][run] = regret;
      now.done += 1;
      now.rounds += now.curves[name].checkpoints.at(-1);
    }
    now.seconds = (heard - now.began) / 1000;
    now.complete = now.done === now.total;
    tell(now);
    if (now.complete) now = null;
  }

  function lose(event) {               // a worker that cannot run at all
    event.preventDefault();
    if (now) fail(event.message || 'the browser starts no worker');
  }

  function fail(error) {               // what other runs found says nothing now
    Object.assign(now, {error, regret: now.curves.map(() => [])});
    fire();
    job += 1;
    tell(now);
    now = null;
  }

  async function compile(numbers) {
    for (const number of numbers) if (!compiled.has(number)) compiled.set(number, WebAssembly.compile(plays.module(number)));
    return Object.fromEntries(await Promise.all([...numbers].map(async number => [number, await compiled.get(number)])));
  }

  async function give(curves, seed, runs) {
    const mine = job += 1, modules = await compile(new Set(curves.map(curve => curve.module)));
    if (mine !== job) return;          // a newer state came meanwhile
    if (!crew.length) hire();
    crew.forEach((worker, first) => {
      const fresh = Object.entries(modules).filter(([number]) => !worker.has.has(number));
      fresh.forEach(([number]) => worker.has.add(number));
      const told = curves.map((curve, name) => ({...curve, name}));
      worker.postMessage({modules: Object.fromEntries(fresh), job, curves: told, seed, first, step: CREW, runs});
    });
  }

  function start(title, at) {          // the game of a state: begun, going on, or remembered
    const key = JSON.stringify([title, at]), known = games.get(key);
    if (now && now.key === key) return now;
    if (now && performance.now() - heard > LONG) fire();
    if (now) games.delete(now.key);
    now = null;
    if (known) {
      job += 1;
      return known;
    }
    const figure = plays.figures[title], curves = curvesAt(plays, figure, at);
    const game = begin({key, title, at, parts: partsAt(plays, figure, at), curves, runs: at.runs});
    games.set(key, game);
    if (games.size > REMEMBERED) games.delete(games.keys().next().value);
    return game;
  }

  function begin(game) {               // a curve may have a seed, and a range of runs, of its own
    const runs = ({from = 0, until = game.runs}) => until - from;
    Object.assign(game, {total: game.curves.reduce((sum, curve) => sum + runs(curve), 0), done: 0, rounds: 0, seconds: 0});
    Object.assign(game, {complete: !game.total, regret: game.curves.map(() => []), began: performance.now()});
    heard = game.began;
    if (game.total) {
      now = game;
      give(game.curves, game.at.seed, game.runs).catch(error => { if (now === game) fail(String(error.message || error)); });
    }
    return game;
  }

  function warm(title, at) {           // nobody hears what is found
    if (now) return;
    const short = curvesAt(plays, plays.figures[title], {...at, runs: WARM.runs});   // tables may stand over the horizon
    give(short.map(curve => ({...curve, checkpoints: [Math.min(WARM.horizon, curve.checkpoints.at(-1))]})), 0, WARM.runs).catch(() => null);
  }

  function cancel() {
    if (!now) return;
    games.delete(now.key);
    fire();
    now.cancelled = true;
    job += 1;
    tell(now);
    now = null;
  }

  const recall = (title, at) => games.get(JSON.stringify([title, at]));
  const policies = (title, at) => policiesAt(plays, plays.figures[title], at);
  const close = () => { fire(); URL.revokeObjectURL(address); };
  return {start, begin, warm, cancel, close, recall, policies, draw: game => drawGame(game, plays.quantiles)};
}
