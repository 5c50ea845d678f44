import { expect, test } from 'vitest'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { Problem } from '../../../core/base/problem.ts'
import { wantsColor, type Io } from '../../../terminal/cli/io.ts'
import { flagValueFromEnvironment } from './flag-value.ts'
import { runProgram } from './program.ts'
import { defineVerbGroup, defineVerb } from '../../../terminal/cli/verb.ts'
import { verbs } from '../catalogue.ts'

const seen: unknown[] = []

const greet = defineVerb({
  name: 'greet',
  summary: 'say hello',
  arguments: [
    { name: 'who', summary: 'whom', required: true },
    { name: 'how', summary: 'how', many: true, choices: ['loud', 'soft'] },
  ],
  flags: [
    {
      name: 'times',
      short: 't',
      value: '<n>',
      summary: 'how often',
      number: { min: 1, max: 9 },
    },
    { name: 'clock', value: '<mode>', summary: 'which clock', choices: ['real', 'stepped'] },
    { name: 'ready-file', value: '<path>', summary: 'a file' },
    { name: 'json', summary: 'as JSON' },
    { name: 'no-color', summary: 'no colours' },
  ],
  run: (options, { color }) => {
    seen.push({ ...options, color })
    return Promise.resolve(0)
  },
})

const list = defineVerb({ name: 'list', summary: 'list', run: () => Promise.resolve(7) })
const show = defineVerb({ name: 'show', summary: 'show', run: () => Promise.resolve(8) })
const things = defineVerbGroup({ name: 'things', summary: 'things', verbs: [list, show] })

async function run(argv: readonly string[], env: Io['env'] = {}) {
  seen.length = 0
  const named = { name: 'sparring', summary: 'A mock partner.', version: '1.2.3' }
  const { io, written } = createTestIo({ env, color: true })
  const code = await runProgram({ ...named, verbs: [greet, things, search] }, argv, io)
  return { code, ...written(), given: seen[0] }
}

const seek = defineVerb({
  name: 'seek',
  summary: 'seek',
  flags: [{ name: 'far', summary: 'far away' }],
  details: 'Exits with 5.',
  run: ({ far }) => Promise.resolve(far ? 5 : 4),
})
const join = defineVerb({
  name: 'join',
  summary: 'join them',
  flags: [{ name: 'far', summary: 'others too' }],
  run: ({ far }) => Promise.resolve(far ? 3 : 2),
})
const search = defineVerbGroup({
  name: 'search',
  summary: 'search it',
  showsDefault: true,
  verbs: [seek, join],
})

test('arguments and flags are passed to the verb by name, as parsed values', async () => {
  const argv = ['greet', 'Ana', 'loud', 'soft', '-t', '3', '--ready-file', 'r', '--json']
  expect((await run(argv)).given).toEqual({
    who: 'Ana',
    how: ['loud', 'soft'],
    times: 3,
    'ready-file': 'r',
    json: true,
    color: true,
  })
})

test('environment variables supply flags that were not typed', async () => {
  const env = { SPARRING_TIMES: '4', SPARRING_READY_FILE: 'e', SPARRING_JSON: '1' }
  expect((await run(['greet', 'Ana', '--times', '3'], env)).given).toMatchObject({
    times: 3,
    'ready-file': 'e',
    json: true,
  })
  const off = { SPARRING_JSON: '0', SPARRING_TIMES: '' }
  expect((await run(['greet', 'Ana'], off)).given).toEqual({ who: 'Ana', how: [], color: true })
})

test('a stronger switch, as in --raw=unsafe, is a value of the weaker one in the environment', () => {
  const [raw, unsafe] = [
    { name: 'raw', summary: '' },
    { name: 'raw=unsafe', summary: '' },
  ]
  const read = (SPARRING_RAW: string) =>
    [raw, unsafe].map((flag) => flag && flagValueFromEnvironment(flag, { SPARRING_RAW })?.ok)
  expect(read('unsafe')).toEqual([true, true])
  expect(read('1')).toEqual([true, undefined])
  expect(read('0')).toEqual([undefined, undefined])
})

test('an invalid environment variable is a problem that names it', async () => {
  const bad = run(['greet', 'Ana'], { SPARRING_TIMES: 'often' })
  await expect(bad).rejects.toThrow(Problem)
  await expect(bad).rejects.toThrow(
    'reading SPARRING_TIMES: "often" cannot be used. It is a whole number from 1 to 9.',
  )
})

test('a variable that is spelt nearly like a flag is named', async () => {
  const env = { SPARRING_TIMS: '4', SPARRING_FAR: '1', SPARRING_ORDER_ID: 'o1', TIMS: '1' }
  const { given, stderr } = await run(['greet', 'Ana'], env)
  expect(given).not.toHaveProperty('times')
  expect(stderr).toBe(
    'sparring: SPARRING_TIMS is no flag, and has no effect. Did you mean SPARRING_TIMES?\n',
  )
  // The variables of a service that a session starts may be spelt like a flag.
  expect((await run(['greet', 'Ana'], { ...env, SPARRING_REPLICA: '1' })).stderr).toBe('')
})

test.each([['--no-color'], ['SPARRING_NO_COLOR']])('%s switches colours off', async (how) => {
  const typed = how.startsWith('--')
  const { given } = await run(
    ['greet', 'Ana', ...(typed ? [how] : [])],
    typed ? {} : { [how]: '1' },
  )
  expect(given).toMatchObject({ color: false })
})

test.each([
  [['gret'], /unknown command 'gret'\n\(Did you mean greet\?\)/],
  [['greet', 'Ana', '--jsno'], /unknown option '--jsno'\n\(Did you mean --json\?\)/],
  [['greet'], /missing required argument 'who'\. See sparring greet --help\.\n$/],
  [['zzz'], /unknown command 'zzz'\. See sparring --help\.\n$/],
  [['things', 'other'], /unknown command 'other'\. See sparring things --help\.\n$/],
  [['greet', 'Ana', 'shy'], /It is one of loud, soft/],
  [['greet', 'Ana', '-t', '10'], /It is a whole number from 1 to 9/],
  [['greet', 'Ana', '-t', '1.5'], /It is a whole number from 1 to 9/],
  [['greet', 'Ana', '-t', ''], /It is a whole number from 1 to 9/],
  [['greet', 'Ana', '--clock', 'fast'], /It is one of real, stepped/],
  [['greet', 'Ana', '--clock'], /argument missing/],
  [['things', 'shwo'], /unknown command 'shwo'\n\(Did you mean show\?\)/],
  [['things', 'list', 'more'], /too many arguments/],
])('%j is a usage error', async (argv, words) => {
  const { code, stdout, stderr } = await run(argv)
  expect(code).toBe(2)
  expect(stderr).toMatch(words)
  expect(stderr).toMatch(/^sparring: /)
  expect(stdout).toBe('')
})

test('a group without a verb runs its first verb', async () => {
  expect((await run(['things'])).code).toBe(7)
  expect((await run(['things', 'show'])).code).toBe(8)
})

test('a group that shows its default has its flags in help; flags behind the name of a verb are its own', async () => {
  const { code, stdout } = await run(['search', '--help'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/Usage: sparring search \[options\] \[command\]\n\nsearch it\n/)
  expect(stdout).toMatch(/--far +far away\n/)
  expect(stdout).toMatch(/Commands:\n +join \[options\] +join them\n/)
  expect(stdout).toMatch(/Exits with 5\.\n$/)
  expect(stdout).not.toContain('seek')
  expect((await run(['search', 'join', '--help'])).stdout).toMatch(/--far +others too\n/)
  for (const [argv, expected] of [
    [['search'], 4],
    [['search', '--far'], 5],
    [['search', 'seek', '--far'], 5],
    [['search', 'join'], 2],
    [['search', 'join', '--far'], 3],
  ] as const)
    expect((await run(argv)).code).toBe(expected)
})

test('--help prints to stdout; no verb at all is a usage error', async () => {
  const asked = await run(['--help'])
  expect(asked).toMatchObject({ code: 0, stderr: '' })
  expect(asked.stdout).toMatch(/greet .*say hello/)
  expect(asked.stdout).toContain('--ready-file is SPARRING_READY_FILE')
  expect((await run(['things', '--help'])).stdout).toMatch(/show +show/)
  expect((await run(['greet', '-h'])).stdout).toMatch(/--times <n> +how often/)
  expect((await run(['--version'])).stdout).toBe('1.2.3\n')

  const bare = await run([])
  expect(bare).toMatchObject({ code: 2, stdout: '' })
  expect(bare.stderr).toContain('Usage: sparring')
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('with environment %j and terminal %s, wantsColor is %s', (env, terminal, color) => {
  expect(wantsColor(env, terminal)).toBe(color)
})

test('help shows flags under the titles of their groups, in their order, and the others last', async () => {
  const grouped = defineVerb({
    name: 'sort',
    summary: 'sort',
    flags: [
      { name: 'json', summary: 'as JSON' },
      { name: 'speed', value: '<x>', summary: 'speed' },
      { name: 'to', value: '<url>', summary: 'target' },
    ],
    groups: { Target: ['to'], Timing: ['speed'] },
    run: (options) => {
      seen.push(options)
      return Promise.resolve(0)
    },
  })
  const { io, written } = createTestIo()
  const definition = { name: 'sparring', summary: 'A mock.', version: '1', verbs: [grouped] }
  expect(await runProgram(definition, ['sort', '--help'], io)).toBe(0)
  expect(written().stdout).toMatch(
    /\nTarget:\n {2}--to <url> [^]*\nTiming:\n {2}--speed <x> [^]*\nOptions:\n {2}--json /,
  )
  seen.length = 0
  await runProgram(definition, ['sort', '--json', '--to', 'x', '--speed', '2'], io)
  expect(seen).toEqual([{ json: true, to: 'x', speed: '2' }])
})

test('every flag of a verb with groups is in exactly one of them', () => {
  const grouped = verbs.filter(({ groups }) => groups)
  expect(grouped.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['up', 'run', 'record', 'replay', 'minimise']),
  )
  for (const { name, flags, groups = {} } of grouped)
    expect([name, Object.values(groups).flat().toSorted()]).toEqual([
      name,
      flags.map((flag) => flag.name).toSorted(),
    ])
})
