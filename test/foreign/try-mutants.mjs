/**
 * Runs explore or certify over a service of this folder and its mutants, and prints which mistakes were found, by what:
 *
 *   node test/foreign/try-mutants.mjs restaurant explore [--mutants 0,1,5] [--max-time 120s] [--seed 7] [--channel both]
 *   node test/foreign/try-mutants.mjs platform certify
 *
 * With `--kept 5` each scenario that explore has kept is played five times on the mutant and on the correct service.
 * Mutant 0 is the correct service. What else the command writes is kept in a folder that is named at the end. Ends with 1
 * when the correct service was blamed, or when a mistake was not found.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { listenError } from '../../src/terminal/cli/ports.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string' },
    'max-time': { type: 'string', default: '120s' },
    seed: { type: 'string', default: '1' },
    channel: { type: 'string', default: 'both' },
    workload: { type: 'string', multiple: true, default: [] },
    /** Beginnings of clauses that certify looks at; `expected` for those of the mutant. */
    only: { type: 'string' },
    /** So often each scenario that explore keeps is played on the mutant and on the correct service. */
    kept: { type: 'string', default: '0' },
    /** How many times faster than the wall clock explore and the service run. */
    speed: { type: 'string', default: '1' },
  },
})
const [name, tool] = positionals
const here = fileURLToPath(new URL('.', import.meta.url))
const sparring = join(here, '../../bin/sparring.js')
if (!['explore', 'certify'].includes(tool)) {
  process.stderr.write('usage: try-mutants.mjs <service> explore|certify [--mutants 0,1,5]\n')
  process.exit(2)
}
const { as, config, restarts, mutants } = JSON.parse(
  readFileSync(join(here, `${name}.mutants.json`), 'utf8'),
)
const correct = { mutant: 0, name: 'correct', clauses: [], rules: [] }
const chosen = flags.mutants?.split(',').map(Number) ?? [0, ...mutants.map(({ mutant }) => mutant)]
const folder = mkdtempSync(join(tmpdir(), `sparring-${name}-`))
const children = new Set()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM')
    process.exit(130)
  })

/** Six free ports in a row, below those that the system gives to connections: control API, four roles, the service. */
async function freePorts() {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const row = [0, 1, 2, 3, 4, 5].map((nth) => port + nth)
    const errors = await Promise.all(row.map((each) => listenError('127.0.0.1', each)))
    if (errors.every((each) => each === undefined)) return port
  }
}

function start(args, env) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const heard = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'])
    child[stream].on('data', (data) => (heard[stream] += data.toString()))
  const ended = once(child, 'close').then(([code]) => {
    children.delete(child)
    return code
  })
  return { child, heard, ended }
}

const configFile = join(folder, 'sparring.config.json')
writeFileSync(configFile, JSON.stringify(config))
const common = (port) => [
  '--as',
  as,
  '--config',
  configFile,
  '--port',
  String(port),
  '--json',
  ...(as === 'software-service' ? ['--channel', flags.channel] : []),
]

const startFlags = ['--start', `${process.execPath} ${join(here, `${name}.mjs`)}`]

/** How often each kept scenario of a mutant is red on it, and green on the correct service. */
async function keptOf(mutant) {
  const corpus = join(folder, `regressions-${mutant}`)
  const files = existsSync(corpus) ? readdirSync(corpus).filter((each) => /ya?ml$/.test(each)) : []
  const played = []
  for (const file of files) {
    const counts = []
    for (const [service, wanted] of [
      [mutant, 1],
      [0, 0],
    ]) {
      let count = 0
      for (let time = 0; time < Number(flags.kept); time++) {
        const args = ['run', join(corpus, file), ...common(await freePorts()), ...startFlags]
        const env = { MUTANT: String(service), SPEED: flags.speed }
        const { ended } = start([sparring, ...args, '--speed', flags.speed], env)
        if ((await ended) === wanted) count++
      }
      counts.push(`${count}/${flags.kept}`)
    }
    played.push(`${file.replace(/\.ya?ml$/, '')} red ${counts[0]} green ${counts[1]}`)
  }
  return played
}

async function explore({ mutant }, port) {
  const { heard, ended } = start(
    [
      sparring,
      'explore',
      ...common(port),
      ...startFlags,
      '--max-time',
      flags['max-time'],
      '--seed',
      flags.seed,
      '--speed',
      flags.speed,
      '--corpus',
      join(folder, `regressions-${mutant}`),
      ...flags.workload.flatMap((each) => ['--workload', each]),
    ],
    { MUTANT: String(mutant), SPEED: flags.speed },
  )
  return { code: await ended, ...heard }
}

/** What only the service or its operator can do; a restart is done by this program. */
const setup = (url, control) => `#!/bin/sh
post() { curl -fsS -o /dev/null -X POST -H 'content-type: application/json' "$@"; }
order=$SPARRING_ORDER_ID
case "$SPARRING_WISH" in
create-order)
  printf '{"type": "%s", "order": %s}' "$SPARRING_ORDER_TYPE" "$SPARRING_ORDER" |
    post -d @- ${url}/probe/orders ;;
cancel-order) post "${url}/probe/orders/$order/request-cancellation" ;;
deny-cancellation) post "${url}/probe/orders/$order/deny-cancellation" ;;
begin-anew) ${restarts ? `post ${control}` : 'exit 1'} ;;
*)
  test "$SPARRING_COMMANDS" || { echo "cannot: $SPARRING_INSTRUCTION"; exit 1; }
  printf %s "$SPARRING_COMMANDS" | post -d @- ${url}/probe/commands ;;
esac
`

async function certify({ mutant, clauses }, port) {
  const roles = ['ORDERING_APPLICATION', 'SOFTWARE_SERVICE', 'DELIVERY_PLATFORM', 'CRM']
  const env = { PORT: String(port + 5), MUTANT: String(mutant) }
  env.STATE = join(folder, `${mutant}.state.json`)
  for (const [nth, role] of roles.entries())
    if (role !== as.toUpperCase().replace('-', '_'))
      env[`SPARRING_${role}_URL`] = `http://127.0.0.1:${port + 1 + nth}`
  let output = ''
  const launch = async () => {
    const service = start([join(here, `${name}.mjs`)], env)
    while (!service.heard.stdout.includes('ready ')) await once(service.child.stdout, 'data')
    return service
  }
  const end = async ({ child, ended, heard }) => {
    child.kill('SIGTERM')
    await ended
    output += heard.stderr
  }
  const only = flags.only === 'expected' ? clauses.join(',') : flags.only
  let service = await launch()
  const control = createServer((request, response) => {
    void end(service)
      .then(launch)
      .then((started) => {
        service = started
        response.end()
      })
  })
  control.listen(0, '127.0.0.1')
  await once(control, 'listening')
  const url = `http://127.0.0.1:${port + 5}`
  const script = join(folder, `setup-${mutant}.sh`)
  const { port: controlPort } = control.address()
  writeFileSync(script, setup(url, `http://127.0.0.1:${controlPort}`), { mode: 0o755 })
  const run = start(
    [
      sparring,
      'certify',
      url,
      ...common(port),
      '--setup',
      script,
      '--bundle',
      join(folder, `${mutant}.tar`),
      ...(only ? ['--only', only] : []),
    ],
    {},
  )
  const code = await run.ended
  await end(service)
  control.close()
  return { code, stdout: run.heard.stdout, stderr: run.heard.stderr + output }
}

/** Rules or clauses that were broken, each with what the tool calls it; the last line of a campaign is its report. */
function foundIn(stdout) {
  const json = JSON.parse(tool === 'certify' ? stdout : stdout.trim().split('\n').at(-1))
  if (tool === 'certify')
    return json.results
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
      .flatMap(({ clause, outcome, problems }) => [
        { id: clause, status: outcome },
        // A rule of the session ends its problem with its id and its sentence.
        ...problems.flatMap(({ text, isNotice }) =>
          [...text.matchAll(/ ([A-Z]{2}-\d+): Must/g)].map(([, rule]) => ({
            id: rule,
            status: isNotice ? 'notice' : 'broken',
          })),
        ),
      ])
  return json.buckets.map(({ rule, status, replays }) => {
    const file = replays ? ` (file ${replays.failed}/${replays.played})` : ''
    return { id: rule, status: `${status}${file}` }
  })
}

const isExpected = ({ clauses, rules }, { id, status }) =>
  tool === 'certify'
    ? ['failed', 'broken'].includes(status) && [...clauses, ...rules].includes(id)
    : rules.includes(id)

let isRed = false
for (const number of chosen) {
  const row = number === 0 ? correct : mutants.find(({ mutant }) => mutant === number)
  const began = Date.now()
  const { code, stdout, stderr } = await { explore, certify }[tool](row, await freePorts())
  const seconds = Math.round((Date.now() - began) / 1000)
  writeFileSync(join(folder, `${number}.json`), stdout)
  writeFileSync(join(folder, `${number}.log`), stderr)
  let found = []
  try {
    found = foundIn(stdout)
  } catch {
    process.stderr.write(`${number}: no JSON\n${stderr.split('\n').slice(-5).join('\n')}\n`)
  }
  const isFound = code === 1 && (found.some((each) => isExpected(row, each)) ? 'yes' : 'by another')
  const ofCorrect = { 0: 'clean', 1: 'BLAMED' }[code] ?? 'no verdict'
  const verdict = number === 0 ? ofCorrect : isFound || 'NO'
  isRed ||= !['clean', 'yes', 'by another'].includes(verdict)
  const expected = tool === 'certify' ? row.clauses : row.rules
  const kept = tool === 'explore' && Number(flags.kept) > 0 ? await keptOf(number) : []
  const list = [...found.map(({ id, status }) => `${id} ${status}`), ...kept].join(', ')
  process.stdout.write(
    `${[number, row.name, expected.join(' '), verdict, list, code, `${seconds} s`].join(' | ')}\n`,
  )
}
process.stdout.write(`kept in ${folder}\n`)
process.exitCode = isRed ? 1 : 0
