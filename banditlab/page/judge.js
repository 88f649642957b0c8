// Judges a claim by runs that were played here: estimates, their intervals and answers as banditlab/evidence has them.

const average = values => values.reduce((sum, x) => sum + x, 0) / values.length;

const apart = (low, high) => (low > 0 && high > 0 ? Math.log(high / low) : Infinity);

const inLogs = (value, {ends}, [least, most] = [value, value]) => ({value, ends: at => {
  const [low, high] = ends(at).map(Math.exp);
  return [Math.min(low, least), Math.max(high, most)];
}});

function overInstances(parts) {        // the instance is the unit
  const values = parts.map(({value}) => value), value = average(values);
  return {value, ends: ({level, quantiles}) => {
    if (saysNothing(values, level)) return UNKNOWN;
    const {error: [error]} = moments(values.map(x => [x])), half = quantiles[values.length] * error;
    return [value - half, value + half];
  }};
}

const ESTIMATES = {                    // of what made them: a number, and its interval at a level with its quantiles of t
  exact: value => ({value, ends: () => [value, value]}),
  mean: values => ({value: average(values), ends: ({level, quantiles}) => (saysNothing(values, level) ? UNKNOWN : endsOf(values, quantiles[values.length]))}),
  ratio: (first, second) => {
    const top = average(first), bottom = average(second);
    if (!(top > 0 && bottom > 0)) return {value: NaN, ends: () => UNKNOWN};
    return inLogs(top / bottom, ESTIMATES.mean(first.map((x, i) => Math.log(top / bottom) + x / top - second[i] / bottom)));
  },
  quotient: (first, second) => {
    if (!(first.value > 0 && second.value > 0)) return {value: NaN, ends: () => UNKNOWN};
    const value = first.value / second.value;
    return {value, ends: at => {
      const [[low, high], [least, most]] = [first.ends(at), second.ends(at)];
      const down = Math.hypot(apart(low, first.value), apart(second.value, most)), up = Math.hypot(apart(first.value, high), apart(least, second.value));
      return [value * Math.exp(-down), value * Math.exp(up)];
    }};
  },
  difference: (first, second) => ({value: first.value - second.value, ends: at => {
    const [[low, high], [least, most]] = [first.ends(at), second.ends(at)], [a, b] = [first.value, second.value];
    return [a - b - Math.hypot(a - low, most - b), a - b + Math.hypot(high - a, b - least)];
  }}),
  power: (grown, factor) => {
    const scaled = end => (end > 0 ? Math.log2(end) / Math.log2(factor) : -Infinity);
    const positive = grown.value > 0;
    return {value: positive ? scaled(grown.value) : NaN, ends: at => (positive ? grown.ends(at).map(scaled) : UNKNOWN)};
  },
  average: (...parts) => overInstances(parts),
  geometric: (...parts) => {
    const logs = overInstances(parts.map(({value}) => ({value: Math.log(value)})));
    return inLogs(Math.exp(logs.value), logs, [Infinity, -Infinity]);
  },
};

function runsOf({terms, factor, offset, part}, regret) {   // numbers of runs: see banditlab/page/replays.py
  const count = regret[terms[0][0]].length, [first, end] = part.map(share => Math.round(share * count));
  const sum = run => terms.reduce((total, [curve, point, sign]) => total + sign * regret[curve][run][point], 0);
  return Array.from({length: end - first}, (_, k) => offset + factor * sum(first + k));
}

function estimate([name, ...parts], regret) {
  const made = part => (Array.isArray(part) ? estimate(part, regret) : part.terms ? runsOf(part, regret) : part);
  return ESTIMATES[name](...parts.map(made));
}

const RANK = {false: 0, null: 1, true: 2};   // of answers: what fails first

const failingOf = ({holds: [from, to], fails}) => (fails ? [fails] : [[null, from], [to, null]].filter(pair => pair.some(end => end !== null)));

function answerOf(rule, low, high) {   // true, false, or null where the interval does not tell
  const {holds, fails, strict} = rule;
  const lies = ([from, to], open) => !Number.isNaN(low) && !Number.isNaN(high)
    && (from === null || (open ? low > from : low >= from)) && (to === null || (open ? high < to : high <= to));
  if (lies(holds, strict)) return true;
  return failingOf(rule).some(pair => lies(pair, !fails && !strict)) ? false : null;
}

function rankOf({answer, holds: [from, to], value, low, high, name}) {   // what fails first, then what is open; of these the nearest to failing
  const slack = (a, b) => {
    const room = [from === null ? Infinity : a - from, to === null ? Infinity : to - b];
    return room.some(Number.isNaN) ? -Infinity : Math.min(...room);
  };
  const far = slack(low, high);
  return [RANK[answer], far, slack(value, value), Math.abs(far) === Infinity ? name : ''];
}

function isBefore(one, other) {
  const i = one.findIndex((x, k) => x !== other[k]);
  return i >= 0 && one[i] < other[i];
}

function measure(question, reading, regret, at) {
  const rows = question.found.map(([name, made]) => {
    const {value, ends} = estimate(made, regret), [low, high] = Number.isNaN(value) ? UNKNOWN : ends(at), rule = {...question, reading, found: null};
    return {...rule, value, low, high, name: question.named || name, answer: answerOf(question, low, high)};
  });
  const decisive = rows.reduce((best, row) => (isBefore(rankOf(row), rankOf(best)) ? row : best)), held = answer => rows.filter(row => row.answer === answer).length;
  return {...decisive, cases: rows.length, held: held(true), failed: held(false)};
}

const every = answers => (answers.includes(false) ? false : answers.includes(null) ? null : true);

const DRIFT = 1 / 3;   // how far into its interval a number may move with more runs, as of banditlab/evidence/looks.py

function answersLater(one, times) {    // what may be answered after so many times the runs
  const low = one.low - one.value, high = one.high - one.value, share = times ** -0.5;
  if (!Number.isFinite(high - low)) return [true, false];
  return [one.answer, ...[one.value, one.value + DRIFT * low, one.value + DRIFT * high].map(x => answerOf(one, x + share * low, x + share * high))];
}

const listOpen = measures => [...new Set(measures.map(({reading}) => reading))]   // the measures of each reading that neither holds nor fails
  .map(name => measures.filter(({reading}) => reading === name)).filter(own => every(own.map(({answer}) => answer)) === null);

function isHopeless(readings, times) { // whether none of them may then fail, by one measure, or hold, by all
  const later = readings.map(own => own.map(one => answersLater(one, times)));
  return !later.some(own => own.some(one => one.includes(false)) || own.every(one => one.includes(true)));
}

function judge({readings, answers}, regret, look, before) {   // at one of its looks: what was decided before stays
  const found = Object.entries(readings).flatMap(([name, {levels, questions}]) => questions.map(one => measure(one, name, regret, levels[look])));
  const measures = found.map((one, i) => (before && before[i].answer !== null ? before[i] : one));
  const said = Object.keys(readings).map(name => every(measures.filter(({reading}) => reading === name).map(({answer}) => answer)));
  const word = said.includes(true) && said.includes(false) ? 'both' : said.includes(true) ? (said[0] ? 'true' : 'null') : said.includes(null) ? 'null' : 'false';
  return {measures, verdict: answers[word]};
}

function shuffled(count, seed) {       // numbers below count in an order that the seed tells
  const order = Array.from({length: count}, (_, k) => k);
  let state = (seed % 4294967296) >>> 0;
  for (let i = count - 1; i > 0; i -= 1) {   // mulberry32
    state = (state + 0x6D2B79F5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const j = Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function curvesOf(plays, {seed: own, grows, simulations}, seed, look) {   // what a look plays, beyond the one before
  const seeds = [...new Set(simulations.map(one => one.seed))];
  return simulations.flatMap(one => {
    const mine = seed === own ? one.seed : seed * 4096 + 1 + seeds.indexOf(one.seed), until = one.runs * (grows ? 2 ** look : 1);
    const order = one.drawn && seed !== own ? shuffled(one.worlds.length - one.most, mine).map(k => k + one.most) : null;
    return one.curves.map(({module, checkpoints, fields}) => {
      const laid = world => inOrder([...world, ...fields].map(plays.field));
      const worlds = one.drawn ? {draws: Array.from({length: until}, (_, run) => laid(one.worlds[order ? order[run] : run]))} : {fields: laid(one.worlds[0])};
      return {module, checkpoints, seed: mine, from: look && grows ? until / 2 : look ? until : 0, until, ...worlds};
    });
  });
}

async function judgeAgain(plays, player, name, seed) {   // plays until it is decided; player(game) promises the game when it has ended
  const claim = plays.claims[name], looks = Object.values(claim.readings)[0].levels.length, regret = [];
  let found = null;
  for (let look = 0; look < looks; look += 1) {
    const curves = curvesOf(plays, claim, seed, look), game = await player({at: {seed}, curves, runs: Math.max(...curves.map(curve => curve.until))});
    if (game.error || game.cancelled) return game;
    game.regret.forEach((rows, i) => { regret[i] = Object.assign(regret[i] || [], rows); });
    found = {...judge(claim, regret, look, found && found.measures), looks: look + 1, most: looks};
    if (isHopeless(listOpen(found.measures), 2 ** (looks - 1 - look))) break;   // where none is open, too
  }
  return {...found, runs: claim.simulations.map(one => one.runs * (claim.grows ? 2 ** (found.looks - 1) : 1))};
}
