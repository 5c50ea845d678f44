/** Loading of scenario files: errors are reported before the first run, with location, source line and suggestion. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Problem } from '../../../core/base/problem.ts'
import { loadScenarios } from './load-scenarios.ts'

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'sparring-scenarios-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}

async function wrong(text: string): Promise<string> {
  const error: unknown = await loadScenarios(['s.yaml'], folder({ 's.yaml': text })).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ exit: 2 })
  return (error as Problem).message
}

const head = 'name: a\nabout: b\norders: { o1: {} }\n'

test('a misspelt key is reported with its line, a caret below it, and a suggestion', async () => {
  expect(await wrong(`${head}steps:\n  - create: o1\n  - await: { cal: confirmOrder }\n`)).toBe(
    `reading s.yaml:6:14: "cal" is not known in steps.1.await. Did you mean "call"?
  6 |   - await: { cal: confirmOrder }
                   ^`,
  )
})

test.each([
  ['a step that is none', 'steps:\n  - creat: o1\n', /:5:5: "creat" is not known.*"create"/],
  ['two in one', 'steps:\n  - create: o1\n    step: 1\n', /:5:5: steps.0: .* \(create, step\)/],
  [
    'a status',
    'steps:\n  - create: o1\nexpect: { statuses: { o1: DONE } }\n',
    /:6:27: .*CONCLUDED/,
  ],
  [
    'a call',
    'steps:\n  - create: o1\n  - await: { call: confirmOrdr }\n',
    /Did you mean "confirmOrder"/,
  ],
  ['a length of time', 'steps:\n  - create: o1\n  - advance: 5 sec\n', /:6:14: .*250ms, 5s, 2m/],
  [
    'an order',
    'steps:\n  - create: o1\n  - check: { order: o2, status: READY }\n',
    /:6:21: there is no order "o2".*"o1"/,
  ],
  [
    'an order that no step creates',
    'steps: []\n',
    /:3:11: no step creates o1\. Add the step "create: o1"/,
  ],
  ['an order twice', 'steps:\n  - create: [o1, o1]\n', /:5:18: o1 is placed already/],
  [
    'a fault',
    'steps:\n  - create: o1\n  - fault: { duplicat: {} }\n',
    /:6:12: .*"duplicat".*duplicate/,
  ],
  [
    'an invariant',
    'steps:\n  - create: o1\nexpect: { tests: [SE-99] }\n',
    /:6:19: there is no invariant "SE-99"/,
  ],
  [
    'a clause',
    'clauses: [ORD-EVR-03, ORD-XXX-99]\nsteps: [{ create: o1 }]\n',
    /:4:23: there is no clause "ORD-XXX-99"/,
  ],
  [
    'a setting',
    'session: { counterparts: { crm: { mod: push } } }\nsteps: [{ create: o1 }]\n',
    /:4:35: "mod" is not known.*"mode"/,
  ],
  [
    'a placeholder',
    'examples: [{ name: x, typ: DELIVERY }]\nsteps:\n  - emit: { order: o1, event: "${type}" }\n  - create: o1\n',
    /:6:31: "\$\{type\}" has no value. Did you mean "typ"\?/,
  ],
  [
    'a column that nothing stands for',
    'steps: [{ create: o1 }]\nexamples:\n  - { name: x }\n  - { name: y, tpye: DELIVERY }\n',
    /:7:16: no \$\{tpye\} uses the column "tpye"/,
  ],
  [
    'a command',
    'steps:\n  - create: o1\n  - command: { kind: order.aply, orderId: o1 }\n',
    /:6:22: kind is "order.aply".*Did you mean "order.apply"/,
  ],
  ['YAML itself', 'steps:\n  - create: [o1\n', /:6:1: .*Correct it there/],
])('%s that is invalid is reported with line and column', async (_what, text, message) => {
  expect(await wrong(`${head}${text}`)).toMatch(message)
})

test('orders created out of turn are rejected, because their slots would differ', async () => {
  const text = 'name: a\nabout: b\norders: { o1: {}, o2: {} }\nsteps:\n  - create: [o2, o1]\n'
  expect(await wrong(text)).toContain('the order placed here is o1, not o2. Place them in turn.')
})

test('all errors of all files are reported at once; a pattern without matches is an error too', async () => {
  const good = `${head}steps: [{ create: o1 }]\n`
  const here = folder({ 'a.yaml': `${good}x: 1\n`, 'b.yaml': `${good}y: 1\n`, 'c.yaml': good })
  const error: unknown = await loadScenarios(['*.yaml'], here).catch((thrown: unknown) => thrown)
  expect((error as Problem).message).toMatch(
    /reading a\.yaml:5:1: "x"[\s\S]*reading b\.yaml:5:1: "y"/,
  )
  await expect(loadScenarios(['none/*.yaml'], here)).rejects.toThrow(
    /nothing fits "none\/\*\.yaml"/,
  )
  await expect(loadScenarios(['gone.yaml'], here)).rejects.toThrow(
    /reading gone\.yaml: there is no such file/,
  )
  await expect(loadScenarios(['b.toml'], here)).rejects.toThrow(/\.toml says none of them/)
})

test('an unused column is reported once, and not beside a misspelt placeholder that explains it', async () => {
  const rows = 'examples:\n  - { name: x, type: DELIVERY }\n  - { name: y, type: TAKEOUT }\n'
  const unused = await wrong(`${head}steps: [{ create: o1 }]\n${rows}`)
  expect(unused.match(/uses the column/g)).toHaveLength(1)
  const misspelt = `${head.replace('o1: {}', "o1: { type: '${typ}' }")}steps: [{ create: o1 }]\n${rows}`
  expect(await wrong(misspelt)).not.toContain('uses the column')
})

test('table rows and variants multiply to runs, and placeholders keep the type of their values', async () => {
  const text = `${head.replace('o1: {}', 'o1: { type: "${type}", items: "${items}" }')}
steps: [{ create: o1 }]
examples:
  - { name: small, type: TAKEOUT, items: 1 }
  - { name: large, type: DELIVERY, items: 9 }
variants: { channels: [polling, webhook], seeds: [1, 2] }
`
  const runs = await loadScenarios(['s.yaml'], folder({ 's.yaml': text }))
  expect(runs.map(({ run }) => run.title)).toEqual([
    'a [small, polling, seed 1]',
    'a [small, polling, seed 2]',
    'a [small, webhook, seed 1]',
    'a [small, webhook, seed 2]',
    'a [large, polling, seed 1]',
    'a [large, polling, seed 2]',
    'a [large, webhook, seed 1]',
    'a [large, webhook, seed 2]',
  ])
  expect(runs.at(-1)?.run.scenario.orders).toEqual({ o1: { type: 'DELIVERY', items: 9 } })
  // Only runs that differ in the channel alone form a group: another seed means other orders.
  expect(new Set(runs.map(({ run }) => run.group)).size).toBe(4)
})

test('a scenario may be JSON or TypeScript as well, and name its schema', async () => {
  const scenario = { name: 'a', about: 'b', orders: { o1: {} }, steps: [{ create: 'o1' }] }
  const here = folder({
    'j.json': JSON.stringify({
      $schema: './node_modules/sparring/schemas/scenario.json',
      ...scenario,
    }),
    't.ts': `export default ${JSON.stringify(scenario)} satisfies object`,
    'w.ts': 'export const nothing = 1',
  })
  expect((await loadScenarios(['j.json', 't.ts'], here)).map(({ file }) => file)).toEqual([
    'j.json',
    't.ts',
  ])
  await expect(loadScenarios(['w.ts'], here)).rejects.toThrow(/it exports no scenario/)
})

test('commands of later table rows are validated like those of the first', async () => {
  const text = `${head}examples:
  - { name: one, kind: order.apply }
  - { name: two, kind: order.aply }
steps:
  - create: o1
  - command: { kind: '\${kind}', orderId: o1, trigger: cancel }
`
  expect(await wrong(text)).toMatch(/^reading s\.yaml:9:22: .*"order\.aply".*"order\.apply"/)
})

test('a cyclic YAML alias is reported with its line instead of followed endlessly', async () => {
  expect(await wrong(`${head}steps: &all\n  - create: o1\n  - *all\n`)).toBe(
    `reading s.yaml:6:5: steps.1 is an alias of something that contains it. Write it out in place of the alias.
  6 |   - *all
          ^`,
  )
})

test('a non-cyclic YAML alias may be used any number of times', async () => {
  const text =
    'steps:\n  - create: o1\n  - advance: &long 5s\n  - advance: *long\n  - advance: *long\n'
  expect(await loadScenarios(['s.yaml'], folder({ 's.yaml': head + text }))).toHaveLength(1)
})

test('an existing file is read although its name looks like a pattern', async () => {
  const text = `${head}steps:\n  - create: o1\n`
  const cwd = folder({ 'story[1].yaml': text, 'story1.yaml': text })
  const files = async (pattern: string) =>
    (await loadScenarios([pattern], cwd)).map(({ file }) => file)
  expect(await files('story[1].yaml')).toEqual(['story[1].yaml'])
  expect(await files('story[0-9].yaml')).toEqual(['story1.yaml'])
})

test('too deep nesting is reported, and a very long line is shown as an excerpt', async () => {
  const deep = `${'['.repeat(400)}${']'.repeat(400)}`
  const message = await wrong(`${head}steps: ${deep}\n`)
  const [sentence, line = '', mark = ''] = message.split('\n')
  expect(sentence).toMatch(/^reading s\.yaml:4:\d+: it is nested deeper than 100 levels/)
  expect(line.length).toBeLessThan(200)
  expect(line[mark.indexOf('^')]).toBe('[')
})

test('a file that is not UTF-8 is rejected instead of read with replacement characters', async () => {
  const latin = folder({})
  writeFileSync(join(latin, 's.yaml'), Buffer.from('name: caf\u00e9\nabout: b\n', 'latin1'))
  await expect(loadScenarios(['s.yaml'], latin)).rejects.toThrow(
    'reading s.yaml: it is no UTF-8 text. Save it as UTF-8.',
  )
  writeFileSync(join(latin, 's.yaml'), Buffer.from('\uFEFFname: a\nabout: b\n', 'utf16le'))
  await expect(loadScenarios(['s.yaml'], latin)).rejects.toThrow('it is no UTF-8 text')
})

test('YAML merge keys are merged', async () => {
  const text =
    'name: a\nabout: b\norders:\n  o1: &one { type: TAKEOUT, items: 1 }\n  o2: { <<: *one, items: 2 }\nsteps: [create: [o1, o2]]\n'
  const [loaded] = await loadScenarios(['s.yaml'], folder({ 's.yaml': text }))
  expect(loaded?.run.scenario.orders['o2']).toEqual({ type: 'TAKEOUT', items: 2 })
})

test('awaiting an event that no role sends is rejected', async () => {
  const steps = (step: string) => `${head}steps:\n  - create: o1\n  - ${step}\n`
  expect(await wrong(steps('await: { event: CONFIRMD, order: o1 }'))).toMatch(
    /^reading s.yaml:6:21: there is no event "CONFIRMD"\. Did you mean "CONFIRMED"\?/,
  )
  expect(await wrong(steps('await: { acknowledged: READY, order: o1 }'))).toMatch(
    /^reading s.yaml:6:28: there is no event "READY"/,
  )
  expect(await wrong(`${steps('step: 1')}expect: { acknowledged: [CANCELED] }`)).toMatch(
    /:7:26: there is no event "CANCELED"\. Did you mean "CANCELLED"\?/,
  )
  const own = `${head}steps:
  - create: o1
  - alter: { order: o1, event: CREATED, change: { eventType: BORN } }
  - await: { event: BORN, order: o1 }
  - await: { event: X_WEATHER_CHANGED, order: o1 }
`
  await expect(loadScenarios(['s.yaml'], folder({ 's.yaml': own }))).resolves.toHaveLength(1)
})

test('a placeholder without a value is reported once, as it was written', async () => {
  const text = `${head}steps:\n  - create: o1\n  - advance: "\${wait}s"\nexamples: [{ name: x, wiat: 3 }]\n`
  const message = await wrong(text)
  expect(message.match(/reading/g)).toHaveLength(1)
  expect(message).toMatch(/"\$\{wait\}" has no value\. Did you mean "wiat"/)
})
