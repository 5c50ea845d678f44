/**
 * Runs explore, certify, stories or a session over a service of this folder and its mutants, and prints which mistakes were
 * found, by what:
 *
 *   node test/foreign/try-mutants.mjs restaurant explore [--mutants 0,1,5] [--max-time 120s] [--seed 7] [--channel both]
 *   node test/foreign/try-mutants.mjs platform certify
 *   node test/foreign/try-mutants.mjs tables session
 *   node test/foreign/try-mutants.mjs relations story [--scenarios 'scenarios/*.yaml']
 *
 * `story` is `run` with all scenarios of the role, ten times as fast: the names of the failed ones, and what failed in them.
 * `session` is one of `up`, three minutes at ten times the speed: the failed verdicts that name a clause of the mistake, then
 * the others; of the correct service also how often each operation was called, and which it hosts that never was.
 * With `--kept 5` each scenario that explore has kept is played five times on the mutant and on the correct service, but
 * those whose first line says that they promise nothing.
 * Mutant 0 is the correct service. What else the command writes is kept in a folder that is named at the end. Ends with 1
 * when the correct service was blamed, or when a mistake was not found.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { listenError } from '../../src/terminal/cli/ports.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string' },
    'max-time': { type: 'string' },
    seed: { type: 'string', default: '1' },
    channel: { type: 'string', default: 'both' },
    workload: { type: 'string', multiple: true, default: [] },
    /** Beginnings of clauses that certify looks at; `expected` for those of the mutant. */
    only: { type: 'string' },
    /** So often each scenario that explore keeps is played on the mutant and on the correct service. */
    kept: { type: 'string', default: '0' },
    /** The scenarios of `story`, with commas between them. */
    scenarios: { type: 'string', default: join('scenarios', '*.yaml') },
    /** How many times faster than the wall clock explore, or a session, and the service run. */
    speed: { type: 'string' },
  },
})
const [name, tool] = positionals
const here = fileURLToPath(new URL('.', import.meta.url))
const sparring = join(here, '../../bin/sparring.js')
const isSession = tool === 'session'
if (!['explore', 'certify', 'session', 'story'].includes(tool)) {
  process.stderr.write(
    'usage: try-mutants.mjs <service> explore|certify|session|story [--mutants 0,1]\n',
  )
  process.exit(2)
}
const isVerdict = isSession || tool === 'story'
const speed = flags.speed ?? (isVerdict ? '10' : '1')
const maxTime = flags['max-time'] ?? (isSession ? '180s' : '120s')
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

const program = join(here, `${name}.mjs`)
// Some scenarios end the service: what it keeps lasts as long as the run.
const startFlags = ['--start', `STATE={folder}/state.json ${process.execPath} ${program}`]

/** How often each kept scenario of a mutant is red on it, and green on the correct service. */
async function keptOf(mutant) {
  const corpus = join(folder, `regressions-${mutant}`)
  const isPromise = (file) =>
    /ya?ml$/.test(file) &&
    !/it failed 0 of|promises nothing/.test(readFileSync(join(corpus, file), 'utf8').split('\n')[0])
  const files = existsSync(corpus) ? readdirSync(corpus).filter(isPromise) : []
  const played = []
  for (const file of files) {
    const counts = []
    for (const [service, wanted] of [
      [mutant, 1],
      [0, 0],
    ]) {
      const codes = []
      // Most of a play is waiting: they go side by side.
      for (let time = 0; time < Number(flags.kept); time++) {
        const args = ['run', join(corpus, file), ...common(await freePorts()), ...startFlags]
        const env = { MUTANT: String(service), SPEED: speed }
        const { ended } = start([sparring, ...args, '--speed', speed], env)
        codes.push(ended)
        await sleep(3000)
      }
      const count = (await Promise.all(codes)).filter((code) => code === wanted).length
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
      maxTime,
      '--seed',
      flags.seed,
      '--speed',
      speed,
      '--corpus',
      join(folder, `regressions-${mutant}`),
      ...flags.workload.flatMap((each) => ['--workload', each]),
    ],
    { MUTANT: String(mutant), SPEED: speed },
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

/** The service as a mutant, with our four roles at the ports after this one. */
async function launch(mutant, port, more) {
  const roles = ['ORDERING_APPLICATION', 'SOFTWARE_SERVICE', 'DELIVERY_PLATFORM', 'CRM']
  const env = { PORT: String(port + 5), MUTANT: String(mutant), CHANNEL: flags.channel, ...more }
  for (const [nth, role] of roles.entries())
    if (role !== as.toUpperCase().replace('-', '_'))
      env[`SPARRING_${role}_URL`] = `http://127.0.0.1:${port + 1 + nth}`
  const service = start([program], env)
  await heardOf(service, 'ready ')
  return service
}

async function heardOf({ child, heard }, text) {
  while (!heard.stdout.includes(text)) await once(child.stdout, 'data')
}

const post = (url, body = {}) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body) }).catch(() => undefined)

/** What the house of a CRM does: it suspends and reactivates who comes most, and lets points expire. */
async function operateCrm(url) {
  const command = (body) => post(`${url}/probe/commands`, body)
  for (const [ms, body] of [
    [60_000, { kind: 'loyalty.move-account', trigger: 'suspension' }],
    [90_000, { kind: 'loyalty.move-account', trigger: 'reactivation' }],
    [10_000, { kind: 'loyalty.expire' }],
  ]) {
    await sleep(ms / Number(speed))
    void command(body)
  }
}

/** What only an operator does: a hosting service is asked for orders, of which some are cancelled or not to be. */
async function operateMarketplace(url, until) {
  for (let nth = 0; Date.now() < until; nth++) {
    const placed = await post(`${url}/probe/orders`, {
      type: ['DELIVERY', 'TAKEOUT', 'INDOOR'][nth % 3],
    })
    const { id } = placed?.ok ? await placed.json() : {}
    if (id && nth % 3 === 1) void post(`${url}/probe/orders/${id}/deny-cancellation`)
    await sleep(5000 / Number(speed))
    if (id && nth % 5 === 4) void post(`${url}/probe/orders/${id}/request-cancellation`)
  }
}

async function session({ mutant }, port) {
  const url = `http://127.0.0.1:${port + 5}`
  const service = await launch(mutant, port, { SPEED: speed })
  const isHost = as === 'ordering-application'
  const record = ['--record', join(folder, `${mutant}.jsonl`)]
  const args = [
    '--subject',
    url,
    ...common(port),
    '--speed',
    speed,
    '--seed',
    flags.seed,
    ...record,
  ]
  const up = start([sparring, 'up', ...args, ...(isHost ? [] : ['--orders-every', '5s'])], {})
  await heardOf(up, '"ready":true')
  const until = Date.now() + (Number.parseInt(maxTime, 10) * 1000) / Number(speed)
  if (as === 'crm') void operateCrm(url)
  await (isHost ? operateMarketplace(url, until) : sleep(until - Date.now()))
  const control = ['--control', `http://127.0.0.1:${port}`, '--json']
  const { heard, ended } = start([sparring, 'verdicts', ...control], {})
  const code = await ended
  if (mutant === 0) await describeTraffic(url, up.heard.stdout)
  for (const { child } of [up, service]) child.kill('SIGINT')
  await Promise.all([up.ended, service.ended])
  return { code, stdout: heard.stdout, stderr: up.heard.stderr + service.heard.stderr }
}

async function story({ mutant }, port) {
  const files = flags.scenarios.split(',')
  const args = ['run', ...files, ...common(port), ...startFlags, '--parallel', '3']
  const env = { MUTANT: String(mutant), SPEED: speed }
  const { heard, ended } = start([sparring, ...args, '--speed', speed, '--seed', flags.seed], env)
  return { code: await ended, ...heard }
}

async function describeTraffic(url, stdout) {
  const counts = new Map()
  for (const line of stdout.trim().split('\n')) {
    const { exchange } = JSON.parse(line)
    if (!exchange?.subject || exchange.operation === undefined) continue
    const side = exchange.from === as ? 'calls' : 'is called'
    const key = `${side} ${exchange.operation} ${exchange.status ?? 'unanswered'}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const [key, count] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
    process.stdout.write(`  ${key}: ${count}\n`)
  const { heard, ended } = start([sparring, 'list', 'operations', '--json'], {})
  await ended
  const { capabilities } = await (await fetch(`${url}/.well-known/protocol`)).json()
  const served = JSON.parse(heard.stdout).filter(({ hosts }) => hosts.includes(as))
  const never = capabilities
    .flatMap(({ name: declared, operations = [] }) => {
      const named = served.filter(({ id }) => operations.includes(id))
      return named.length > 0 ? named : served.filter(({ capability }) => capability === declared)
    })
    .filter(({ id }) => ![...counts.keys()].some((key) => key.startsWith(`is called ${id} `)))
  process.stdout.write(`  never called: ${never.map(({ id }) => id).join(' ') || 'none'}\n`)
}

async function certify({ mutant, clauses }, port) {
  const STATE = join(folder, `${mutant}.state.json`)
  let output = ''
  const end = async ({ child, ended, heard }) => {
    child.kill('SIGTERM')
    await ended
    output += heard.stderr
  }
  const only = flags.only === 'expected' ? clauses.join(',') : flags.only
  let service = await launch(mutant, port, { STATE })
  const control = createServer((request, response) => {
    void end(service)
      .then(() => launch(mutant, port, { STATE }))
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
  const json = JSON.parse(tool === 'explore' ? stdout.trim().split('\n').at(-1) : stdout)
  if (isSession)
    return json
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id, clauses, violations }) => ({ id, clauses, status: `${violations}×` }))
  if (tool === 'story')
    return json.runs
      .filter(({ result }) => result === 'failed')
      .flatMap(({ title, verdicts, failures }) => {
        const red = verdicts.filter(({ outcome }) => outcome === 'failed')
        const status = `in ${title}`
        return red.length > 0
          ? red.map(({ id, clauses }) => ({ id, clauses, status }))
          : failures.slice(0, 1).map(({ because }) => ({ id: because, clauses: [], status }))
      })
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

const isExpected = ({ clauses, rules }, { id, status, clauses: named }) => {
  if (isVerdict) return rules.includes(id) || clauses.some((each) => named.includes(each))
  return tool === 'certify'
    ? ['failed', 'broken'].includes(status) && [...clauses, ...rules].includes(id)
    : rules.includes(id)
}

let isRed = false
for (const number of chosen) {
  const row = number === 0 ? correct : mutants.find(({ mutant }) => mutant === number)
  const began = Date.now()
  const { code, stdout, stderr } = await { explore, certify, session, story }[tool](
    row,
    await freePorts(),
  )
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
  const expected = tool === 'explore' ? row.rules : row.clauses
  const kept = tool === 'explore' && Number(flags.kept) > 0 ? await keptOf(number) : []
  const textOf = (list) => list.map(({ id, status }) => `${id} ${status}`)
  const list = isVerdict
    ? [true, false].map((wanted) =>
        textOf(found.filter((each) => isExpected(row, each) === wanted)),
      )
    : [[...textOf(found), ...kept]]
  const cells = [
    number,
    row.name,
    expected.join(' '),
    verdict,
    ...list.map((each) => each.join(', ')),
  ]
  process.stdout.write(`${[...cells, code, `${seconds} s`].join(' | ')}\n`)
}
process.stdout.write(`kept in ${folder}\n`)
process.exitCode = isRed ? 1 : 0
