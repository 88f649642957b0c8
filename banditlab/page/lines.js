// The lines of a figure from the regret that was played here; means and intervals as banditlab/evidence has them.

function scaleOf(values) {             // a power of two for numbers whose fourth powers would be none
  const power = Math.round(Math.log2(Math.max(...values.map(Math.abs))));
  return Number.isFinite(power) && Math.abs(power) > 200 ? 2 ** Math.max(-1000, Math.min(-power, 1000)) : 1;
}

function moments(rows) {               // of every column: mean and standard error, summed run by run as numpy sums
  const n = rows.length, scale = Array.from(rows[0], (_, k) => scaleOf(rows.map(row => row[k])));
  const mean = scale.map(() => 0), error = mean.slice();
  for (const row of rows) row.forEach((x, k) => { mean[k] += x * scale[k]; });
  mean.forEach((sum, k) => { mean[k] = sum / n; });
  for (const row of rows) row.forEach((x, k) => { error[k] += (x * scale[k] - mean[k]) ** 2; });
  const se = error.map((sum, k) => Math.sqrt(sum / (n - 1)) / Math.sqrt(n) / scale[k]);
  return {mean: mean.map((y, k) => y / scale[k]), error: se};
}

function quantile(values, level, method) {   // of sorted values, as numpy's methods of these names
  const place = level * (values.length - 1), low = method === 'higher' ? Math.ceil(place) : Math.floor(place), share = place - low;
  if (method === 'higher' || !share) return values[low];
  const step = values[low + 1] - values[low];
  return share < 0.5 ? values[low] + step * share : values[low + 1] - step * (1 - share);
}

const ascending = values => Array.from(values).sort((a, b) => a - b);

const UNKNOWN = [-Infinity, Infinity], LEVEL = 0.95, RARE = 0.05;   // equal runs count as certain where as many would have met such an event

function saysNothing(values, level) {  // a single run, one that is no number, few equal ones that may differ later
  const n = values.length;
  if (n < 2 || !values.every(Number.isFinite)) return true;
  const width = Math.max(...values) - Math.min(...values);
  return width <= 1e-12 * Math.max(...values.map(Math.abs)) && (1 - RARE) ** n > 1 - level;
}

function endsOf(values, quantile) {    // as evidence.mean: a t-interval, longer where runs are skewed (Hall's transformation)
  const scale = scaleOf(values), scaled = values.map(x => x * scale);
  const n = values.length, {mean: [mean], error: [se]} = moments(scaled.map(x => [x])), half = quantile * se;
  const power = k => scaled.reduce((sum, x) => sum + (x - mean) ** k, 0) / n, skewness = power(3) / power(2) ** 1.5;
  const reach = side => (Math.abs(skewness) < 1e-6 ? side * quantile
    : Math.sqrt(n) * 3 / skewness * (Math.cbrt(1 + skewness * (side * quantile / Math.sqrt(n) - skewness / (6 * n))) - 1));
  const ends = se > 0 ? [mean - Math.max(half, se * reach(1)), mean + Math.max(half, -se * reach(-1))] : [mean, mean];
  return ends.map(end => end / scale);
}

const times = (y, factor) => (factor ? y.map((value, k) => value * factor[k]) : y);

const STATISTICS = {                   // rows: regret by run; what a trace shows of them
  mean: (x, rows, {factor}) => ({x, y: times(moments(rows).mean, factor)}),
  band: (x, rows, {told, factor}, quantiles) => {
    if (rows.length < 2) return null;
    const {mean, error} = moments(rows), wide = told === null ? quantiles[rows.length - 2] : told;
    const edge = sign => times(mean.map((y, k) => y + sign * wide * error[k]), factor);
    return {x: [...x, ...[...x].reverse()], y: [...edge(1), ...edge(-1).reverse()]};
  },
  ends: (x, rows, line, quantiles) => {
    if (rows.length < 2) return null;
    const ends = x.map((_, k) => {
      const values = rows.map(row => row[k]);
      return saysNothing(values, LEVEL) ? UNKNOWN : endsOf(values, quantiles[rows.length - 2]);
    });
    return {x: [...x, ...[...x].reverse()], y: [...ends.map(([, high]) => high), ...ends.map(([low]) => low).reverse()]};
  },
  quantile: (x, rows, {told, method, factor}) => ({x, y: times(x.map((_, k) => quantile(ascending(rows.map(row => row[k])), told, method)), factor)}),
  stuck: (x, rows, {told}) => ({x, y: x.map((_, k) => {
    const values = rows.map(row => row[k]), most = told * quantile(ascending(values), 0.5, 'linear');
    return values.filter(value => value > most).length / values.length;
  })}),
  ratio: (x, rows, {told, simulation}, quantiles, game) => {
    const names = told === null ? [...new Set(game.curves.map(curve => curve.policy))] : [told];
    const below = names.map(policy => seriesOf(game, {policy, simulation})).filter(Boolean).map(series => moments(series.rows).mean);
    return {x, y: moments(rows).mean.map((y, k) => y / Math.min(...below.map(mean => mean[k])))};
  },
  shares: (x, rows) => ({x: ascending(rows.map(row => row[row.length - 1])), y: rows.map((_, k) => (k + 1) / rows.length)}),
};

function seriesOf(game, {policy, simulation, places}) {   // rounds and regret by run, of the runs that are complete
  const own = game.curves.map((curve, i) => ({...curve, rows: game.regret[i]})).filter(c => c.policy === policy && (simulation === null || c.simulation === simulation));
  if (!own.length) return null;
  if (simulation !== null) return {x: places || own[0].checkpoints, rows: own[0].rows.filter(Boolean)};
  own.sort((a, b) => a.simulation - b.simulation);
  const runs = Array.from({length: game.runs}, (_, run) => run).filter(run => own.every(({rows}) => rows[run]));
  return {x: places || own.map(curve => curve.checkpoints.at(-1)), rows: runs.map(run => own.map(({rows}) => rows[run].at(-1)))};
}

function drawGame(game, quantiles) {   // a figure as plotly takes it
  const data = game.parts.traces.flatMap(({trace, line}) => {
    if (!line) return [trace];
    const series = seriesOf(game, line);
    const shown = series && series.rows.length ? STATISTICS[line.statistic](series.x, series.rows, line, quantiles, game) : null;
    return shown ? [{...trace, ...shown}] : [];
  });
  return {data, layout: {...game.parts.layout}};
}
