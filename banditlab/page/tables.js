// What a page plays: unpacks what banditlab/page/plays.py packs, and looks fields up at a position of the controls.

async function unpackPlays(text) {
  const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const raw = new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  const size = new DataView(raw.buffer).getUint32(0, true), blob = raw.subarray(4 + size);
  const header = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + size)));
  const bytes = ([start, length]) => blob.slice(start, start + length);
  const fields = new Map();
  const field = number => {            // one object for each, so that what several runs share travels once
    const [shape, ...place] = header.fields[number];
    if (!fields.has(number)) fields.set(number, {shape, bytes: bytes(place)});
    return fields.get(number);
  };
  const count = number => header.fields[number];
  return {...header, field, count, module: number => bytes(header.modules[number])};
}

function lookUp([names, numbers], positions, at) {
  let place = 0;
  for (const name of names) place = place * positions[name].length + positions[name].indexOf(at[name]);
  return numbers[place];
}

function spacedRounds(count, horizon) {   // as banditlab's resolve_checkpoints
  const all = Array.from({length: count}, (_, k) => (k + 1 === count ? horizon : Math.trunc((k + 1) * (horizon / count))));
  return all.filter((t, k) => t > 0 && t !== all[k - 1]);
}

function curvesAt(plays, figure, at) {    // what is played at a position: a policy in a simulation each
  const {positions} = figure, runs = at.runs;
  return figure.curves.flatMap(([simulation, policy, module, [there, rounds, ...columns]]) => {
    const look = (column, run) => lookUp(column, positions, {...at, run});
    if (look(there, 0) < 0) return [];
    const told = plays.count(look(rounds, 0)), drawn = columns.some(([names]) => names.includes('run'));
    const checkpoints = typeof told === 'number' ? spacedRounds(told, at.horizon)
      : Array.from(new BigInt64Array(plays.field(look(rounds, 0)).bytes.buffer), Number);
    const laid = run => columns.map(column => plays.field(look(column, run)));
    return [{simulation, policy, module, checkpoints, ...(drawn ? {draws: Array.from({length: runs}, (_, run) => laid(run))} : {fields: laid(0)})}];
  });
}
