// What a page plays: unpacks what banditlab/page/packing.py packs, and looks fields up at a position of the controls.

async function unpackPlays(text) {
  const raw = new Uint8Array(await unzip(text));
  const size = new DataView(raw.buffer).getUint32(0, true), blob = raw.subarray(4 + size);
  const header = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + size)));
  const bytes = ([start, length]) => blob.slice(start, start + length);
  const fields = new Map();
  const field = number => {            // one object for each, so that what several runs share travels once
    const [shape, ...place] = header.fields[number];
    const laid = () => {
      if (!Array.isArray(shape)) return bytes(place);
      return Array.isArray(place[0]) ? join(place.map(row => fromPlanes(bytes(row), shape.slice(1)))) : fromPlanes(bytes(place), shape);
    };
    if (!fields.has(number)) fields.set(number, {shape, bytes: laid()});
    return fields.get(number);
  };
  const count = number => header.fields[number];
  const words = number => new TextDecoder().decode(field(number).bytes);
  return {...header, field, count, words, module: number => bytes(header.modules[number])};
}

function join(rows) {                  // long rows stand by themselves, as several arrays share them
  const found = new Uint8Array(rows.length * rows[0].length);
  rows.forEach((row, i) => found.set(row, i * row.length));
  return found;
}

function fromPlanes(planes, shape) {   // the bytes of an entry stand together again
  const entries = shape.reduce((product, length) => product * length, 1), found = new Uint8Array(planes.length);
  for (let plane = 0, from = 0; from < planes.length; plane += 1) {
    for (let i = 0; i < entries; i += 1, from += 1) found[(i * planes.length) / entries + plane] = planes[from];
  }
  return found;
}

function lookUp([names, numbers], positions, at) {
  let place = 0;
  for (const name of names) {
    const here = positions[name].indexOf(at[name]);
    if (here < 0) throw RangeError(`${name} = ${at[name]} has no table`);   // and would read another position's
    place = place * positions[name].length + here;
  }
  return numbers[place];
}

function findAlone({alone, base, wanted}, at) {   // {one, place} of a setting, or of a control at a value of its own, or null
  const setting = wanted.values.findIndex(values => values.every((value, i) => value === at[wanted.names[i]]));
  if (setting >= 0) return {one: wanted, place: setting};
  const name = Object.keys(alone).find(name => alone[name].values.includes(at[name]));
  if (!name) return null;
  const other = Object.keys(base).find(other => other !== name && at[other] !== base[other]);
  if (other) throw RangeError(`${name} = ${at[name]} has no table where ${other} = ${at[other]}`);
  return {one: alone[name], place: alone[name].values.indexOf(at[name])};
}

function lookAround(figure, kind, at) {   // what looks up a column, by its number, of a curve or a part, by its number
  const found = findAlone(figure, at);
  if (!found) return (number, i, run) => lookUp(figure[kind][number].at(-1)[i], figure.positions, run === undefined ? at : {...at, run});
  const columns = found.one[kind];
  return (number, i, run) => {
    const numbers = columns[number][i], one = numbers[numbers.length > 1 ? found.place : 0];
    return Array.isArray(one) ? one[run] : one;
  };
}

function spacedRounds(count, horizon) {   // as banditlab's resolve_checkpoints
  const all = Array.from({length: count}, (_, k) => (k + 1 === count ? horizon : Math.trunc((k + 1) * (horizon / count))));
  return all.filter((t, k) => t > 0 && t !== all[k - 1]);
}

function inOrder(fields) {             // an order puts the entries of the array before it where they belong
  return fields.flatMap((field, i) => {
    if (field.shape === 'order') return [];
    const order = fields[i + 1];
    if (!order || order.shape !== 'order') return [field];
    const numbers = new BigInt64Array(field.bytes.buffer), places = new Uint16Array(order.bytes.buffer);
    return [{shape: field.shape, bytes: new Uint8Array(BigInt64Array.from(places, place => numbers[place]).buffer)}];
  });
}

function curvesAt(plays, figure, at) {    // what is played at a position: a policy in a simulation each
  const {runs} = at, around = lookAround(figure, 'curves', at);
  return figure.curves.flatMap(([simulation, module, columns], number) => {
    const look = (i, run) => around(number, i, run), fields = columns.map((_, i) => i).slice(3);
    if (look(0, 0) < 0) return [];
    const told = plays.count(look(2, 0)), drawn = 'run' in figure.positions;
    const checkpoints = typeof told === 'number' ? spacedRounds(told, at.horizon)
      : Array.from(new BigInt64Array(plays.field(look(2, 0)).bytes.buffer), Number);
    const laid = run => inOrder(fields.map(i => plays.field(look(i, run))));
    const policy = plays.words(look(1, 0));
    return [{simulation, policy, module, checkpoints, ...(drawn ? {draws: Array.from({length: runs}, (_, run) => laid(run))} : {fields: laid(0)})}];
  });
}

function policiesAt(plays, figure, at) {   // the names of all that play at a position
  const look = lookAround(figure, 'curves', at);
  return figure.curves.flatMap((_, number) => (look(number, 0, 0) < 0 ? [] : [plays.words(look(number, 1, 0))]));
}

function partsAt(plays, figure, at) {     // how it is drawn at a position: the layout, and traces with their line if they have one
  const look = lookAround(figure, 'parts', at), horizon = Number(at.horizon).toLocaleString('en');
  const numbers = number => {
    const {shape, bytes} = plays.field(number), all = Array.from(new Float32Array(bytes.buffer), x => (Number.isFinite(x) ? x : null));
    return shape.length === 1 ? all : Array.from({length: shape[0]}, (_, row) => all.slice(row * shape[1], (row + 1) * shape[1]));
  };
  const parts = figure.parts.flatMap(([place, columns], number) => {
    const [there, words, ...arrays] = columns.map((_, i) => look(number, i));
    if (Math.min(there, words, ...arrays) < 0) return [];   // not here, or the figure refuses to be here
    return [{place, part: JSON.parse(plays.words(words).replaceAll('\u2063T', horizon)), arrays: arrays.map(numbers)}];
  });
  const traces = parts.filter(({place}) => place >= 0).sort((a, b) => a.place - b.place).map(({part, arrays}) => {
    const {trace, line, arrays: paths} = part;
    if (line) return {trace, line: {...line, ...Object.fromEntries(paths.map((name, i) => [name, arrays[i]]))}};
    paths.forEach((path, i) => {
      const names = path.split('.'), last = names.pop();
      names.reduce((node, name) => (node[name] = node[name] || {}), trace)[last] = arrays[i];
    });
    return {trace, line: null};
  });
  const ends = at.horizon === undefined || at.horizon === plays.horizon;   // where the bounds of a named setting do
  const drawn = ends ? traces : traces.filter(({trace}) => !figure.hidden.includes(trace.name));
  const around = parts.find(({place}) => place < 0);
  return {layout: around ? around.part : {}, traces: drawn};
}
