// Plays runs in WebAssembly: an instance for each module, runs in turn over the curves, found regret posted as it comes.

const BASE = 1 << 20;   // below it stand constants and the stack
const SEED = 0, RUN = 1, FLAGS = 2, COUNT = 16, FIELDS = 19;   // words: see entry.py
const PATIENCE = 12, LATER = 60;   // ms between two posts, at first and then

const machines = {};
let current = 0;

function build(module) {
  const memory = new WebAssembly.Memory({initial: 32, maximum: 16384});
  const env = {
    __linear_memory: memory,
    __stack_pointer: new WebAssembly.Global({value: 'i32', mutable: true}, BASE),
    __indirect_function_table: new WebAssembly.Table({initial: 64, element: 'anyfunc'}),
  };
  return {memory, exports: new WebAssembly.Instance(module, {env}).exports};
}

function lay(machine, fields, checkpoints) {   // fields: {shape, bytes}, a number has no shape; behind them begins the heap
  let end = BASE;
  const room = size => { const at = end; end += (size + 63) & ~63; return at; };
  const words = room(8 * (FIELDS + fields.reduce((sum, {shape}) => sum + 1 + (shape ? shape.length : 0), 0)));
  const rounds = room(8 * checkpoints.length), regret = room(8 * checkpoints.length);
  const places = fields.map(({shape, bytes}) => (shape ? room(bytes.length) : 0));
  const lacking = end - machine.memory.buffer.byteLength;
  if (lacking > 0) machine.memory.grow(Math.ceil(lacking / 65536));
  const {buffer} = machine.memory, whole = new BigInt64Array(buffer, words), all = new Uint8Array(buffer);
  new BigInt64Array(buffer, rounds, checkpoints.length).set(checkpoints.map(BigInt));
  whole.set([checkpoints.length, rounds, regret].map(BigInt), COUNT);
  let word = FIELDS;
  fields.forEach(({shape, bytes}, i) => {
    all.set(bytes, shape ? places[i] : words + 8 * word);
    if (shape) whole.set([places[i], ...shape].map(BigInt), word);
    word += 1 + (shape ? shape.length : 0);
  });
  return {machine, words, regret, count: checkpoints.length, heap: end};
}

function play({machine, words, regret, count, heap}, seed, run) {
  const whole = new BigInt64Array(machine.memory.buffer, words);
  whole[SEED] = BigInt.asIntN(64, BigInt(seed));
  whole[RUN] = BigInt(run);
  whole[FLAGS] = whole[FLAGS + 1] = 0n;
  machine.exports.begin(heap);
  if (machine.exports.play(words)) return null;
  return new Float64Array(machine.memory.buffer, regret, count).slice();
}

const breathe = () => new Promise(resolve => {   // let a newer message in
  const channel = new MessageChannel();
  channel.port1.onmessage = resolve;
  channel.port2.postMessage(0);
});

const wrong = ({policy = 'a policy'}) => `${policy} ended a run with an error, such as an index out of range; played in the notebook, it says where`;

async function work({job, curves, seed: shared, first, step, runs}) {   // a curve: name, module, checkpoints, fields or, by run, draws
  current = job;
  let found = [], since = performance.now(), patience = PATIENCE;
  for (let run = first; run < runs; run += step) {
    for (const curve of curves) {
      const {name, module, checkpoints, fields, draws, seed = shared, from = 0, until = runs} = curve;
      if (run < from || run >= until) continue;
      const laid = lay(machines[module], draws ? draws[run] : fields, checkpoints);
      const regret = play(laid, seed, run);
      if (!regret) throw new Error(wrong(curve));
      found.push({name, run, regret});
      if (performance.now() - since < patience) continue;
      postMessage({job, found});
      found = [];
      await breathe();
      if (current !== job) return;
      patience = LATER;
      since = performance.now();
    }
  }
  postMessage({job, found, done: true});
}

onmessage = async ({data}) => {
  try {
    for (const [name, module] of Object.entries(data.modules || {})) machines[name] = build(module);
    if (data.curves) await work(data);
  } catch (error) {
    postMessage({job: data.job, error: String(error.message || error)});
  }
};
