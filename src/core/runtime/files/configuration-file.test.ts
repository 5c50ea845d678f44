import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Problem } from '../../base/problem.ts'
import { readConfigurationFile } from './configuration-file.ts'

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sparring-configuration-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

async function problemOf(files: Readonly<Record<string, string>>, named?: string): Promise<string> {
  const reading = readConfigurationFile(await folderWith(files), named)
  const error: unknown = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Problem)
  expect((error as Problem).exit).toBe(2)
  return (error as Problem).message
}

const yaml = (text: string) => problemOf({ 'sparring.config.yaml': text })
const json = (text: string) => problemOf({ 'sparring.config.json': text })

test('without a file the result is undefined', async () => {
  expect(await readConfigurationFile(await folderWith({}))).toBeUndefined()
})

test('an existing file is read, and unset values are not filled in', async () => {
  const folder = await folderWith({
    'sparring.config.yaml': 'seed: 7\nsubject: { role: software-service }\n',
  })
  expect(await readConfigurationFile(folder)).toMatchObject({
    file: 'sparring.config.yaml',
    value: { seed: 7, subject: { role: 'software-service' } },
  })
})

test('a file with only comments is an empty configuration', async () => {
  const folder = await folderWith({ 'sparring.config.yaml': '# later\n' })
  expect((await readConfigurationFile(folder))?.value).toEqual({})
})

test('JSON is read too, with a byte order mark', async () => {
  const folder = await folderWith({ 'sparring.config.json': '\uFEFF{ "seed": 7 }' })
  expect((await readConfigurationFile(folder))?.value).toEqual({ seed: 7 })
})

test('a named file is read, whatever other files exist', async () => {
  const folder = await folderWith({
    'sparring.config.yaml': 'seed: 1',
    'sparring.config.json': '{"seed":2}',
    'other.yml': 'seed: 3',
  })
  expect((await readConfigurationFile(folder, 'other.yml'))?.value).toEqual({ seed: 3 })
})

test('two files are a problem', async () => {
  const message = await problemOf({ 'sparring.config.yaml': '', 'sparring.config.json': '{}' })
  expect(message).toMatch(/there are sparring.config.yaml and sparring.config.json, and only one/)
  expect(message).toMatch(/name one with --config <file>/)
})

test('a missing named file is a problem', async () => {
  expect(await problemOf({}, 'gone.yaml')).toMatch(
    /^reading gone.yaml: there is no such file. Name another with --config/,
  )
  expect(await problemOf({ 'a.toml': '' }, 'a.toml')).toMatch(/\.toml says none of them/)
})

test('broken YAML is reported with line and column', async () => {
  expect(await yaml('seed: 1\nsubject:\n  role: crm\n url: x\n')).toMatch(
    /^reading sparring.config.yaml:4:1: /,
  )
  expect(await yaml('seed: 1\nseed: 2\n')).toMatch(/yaml:2:1: Map keys must be unique/)
  expect(await json('{"seed": 1,\n "seed": 2}')).toMatch(/json:2:2: Map keys must be unique/)
  expect(await yaml('seed: 1\nhost: *nowhere\n')).toMatch(/yaml:2:7: Unresolved alias/)
})

test.each([
  ['{"seed": 1,}', '1:12'],
  ['{"seed": 1,\n "clock": real\n}', '2:11'],
  ['{\n  // the seed\n  "seed": 1\n}', '2:3'],
  ["{'seed': 1}", '1:2'],
  ['{"seed": 1', '1:11'],
  ['', '1:1'],
])('broken JSON %j is reported with line and column', async (text, place) => {
  expect(await json(text)).toMatch(new RegExp(`^reading sparring.config.json:${place}: `))
})

test('an unknown key is reported with its location and the closest known key', async () => {
  const message = await yaml(
    'seed: 1\ncounterparts:\n  ordering-application: { port: 7101, chanel: polling }\n',
  )
  expect(message).toBe(
    'reading sparring.config.yaml:3:39: "chanel" is not known in counterparts.ordering-application. Did you mean "channel"?',
  )
  expect(await yaml('sede: 1\n')).toMatch(/yaml:1:1: "sede" is not known. Did you mean "seed"\?/)
  expect(await yaml('zzzzzz: 1\n')).toMatch(/Known there: protocol, seed, clock/)
  expect(
    await yaml('counterparts: { ordering-application: { orders: { mix: { DELIVRY: 1 } } } }'),
  ).toMatch(/yaml:1:58: "DELIVRY" is not known .* Did you mean "DELIVERY"\?/)
})

test('a wrong value is reported with its location, the value found and the values allowed', async () => {
  expect(await yaml('seed: 1\nclock: reel\n')).toBe(
    'reading sparring.config.yaml:2:8: clock is "reel", and it must be real, stepped or virtual. Did you mean "real"?',
  )
  expect(await yaml('port: 70000')).toMatch(/1:7: port is 70000, and it must be at most 65535/)
  expect(await yaml('seed: 1.5')).toMatch(/seed is 1.5, and it must be a whole number/)
  expect(await yaml('seed: [1]')).toMatch(/seed is a list, and it must be a number/)
  expect(await yaml('subject: { url: nowhere }')).toMatch(/1:17: subject.url: is no http or https/)
  expect(await yaml('conduct:\n  emptyPoll: 205\n')).toMatch(
    /2:14: conduct.emptyPoll is 205, and it must be 204 or 200/,
  )
  expect(await yaml('- seed')).toMatch(/1:1: the configuration is a list, and it must be an object/)
  expect(await yaml('counterparts:\n  software-service:\n    pollEvery: 5x\n')).toMatch(
    /3:16: counterparts.software-service.pollEvery: "5x" is no duration; write 250ms/,
  )
  expect(await json('{\n  "seed": 1,\n  "clock": "reel"\n}')).toMatch(/json:3:12: clock is "reel"/)
})

test('several errors are reported, one per line', async () => {
  const lines = (await yaml('clock: reel\nhots: x\nport: -1\n')).split('\n')
  expect(lines.map((line) => /yaml:(\d+)/.exec(line)?.[1])).toEqual(['1', '3', '2'])
})

test('a missing field of a list entry is reported at that entry', async () => {
  const text =
    'clients:\n  - { clientId: a, clientSecret: b, role: crm }\n  - clientId: c\n    role: crm\n'
  expect(await yaml(text)).toMatch(/yaml:3:5: clients.1.clientSecret is missing/)
})

test('a format is described in words, not by an unreadable pattern', async () => {
  expect(await yaml('origin: yesterday')).toMatch(
    /1:9: origin is "yesterday", and it must be a date and a time such as 2026-01-05T12:00:00-03:00\./,
  )
  expect(await yaml('subject: { webhooks: { orders: nope } }')).toMatch(
    /orders is "nope", and it must be a text that begins with "\/"\./,
  )
  expect(await yaml('subject: { probe: /orders }')).toMatch(
    /probe is "\/orders", and it must be a text with "\{orderId\}" in it\./,
  )
  expect(await yaml('recording: { file: "" }')).toMatch(/must be at least 1 character long\./)
})

test('what counts effects is a path with {orderId}, or a command into which nothing is put', async () => {
  const effects = (tickets: string) => yaml(`subject: { effects: { tickets: ${tickets} } }`)
  for (const text of [`'psql -c {orderId}'`, `{ command: 'psql -c {orderId}' }`])
    expect(await effects(text)).toMatch(
      /subject\.effects\.tickets(?:\.command)?: nothing is put into the text of a command; it finds the order in \$SPARRING_ORDER_ID/,
    )
  for (const text of ['/probe/effects', "'GET /probe/effects'", '{ path: /probe/effects }'])
    expect(await effects(text)).toMatch(/a path has \{orderId\} in it, such as \/probe/)
  for (const text of ['{}', "{ path: '/a/{orderId}', command: echo 1 }"])
    expect(await effects(text)).toMatch(
      /subject\.effects\.tickets: it has either a path or a command/,
    )
  expect(await effects('{ comand: echo 1 }')).toMatch(/Did you mean "command"\?/)
})

test('a mix in which every profile has weight 0 is refused, since none could be drawn', async () => {
  const mix = (text: string) =>
    yaml(`counterparts: { ordering-application: { orders: { mix: ${text} } } }`)
  expect(await mix('{ DELIVERY: 0, TAKEOUT: 0 }')).toMatch(
    /1:56: counterparts.ordering-application.orders.mix: one profile at least needs a weight above 0/,
  )
  expect(await mix('{}')).toMatch(/needs a weight above 0/)
})

test('nesting without end is reported with the place of the first level too many', async () => {
  for (const levels of [150, 20_000]) {
    const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(await json(`{"seed": 7,\n"faults": ${nested}}`)).toMatch(
      /sparring\.config\.json:2:\d+: it is nested deeper than 100 levels\. /,
    )
    expect(await yaml(`seed: 7\nfaults: ${nested}\n`)).toMatch(
      /sparring\.config\.yaml:2:\d+: it is nested deeper than 100 levels\. /,
    )
  }
  const deep = Array.from({ length: 150 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')
  expect(await yaml(`seed: 7\n${deep}\n`)).toMatch(/:102:\d+: it is nested deeper than 100 levels/)
  const bomb = 'bcdefghi'
    .split('')
    .map(
      (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(', ')}]`,
    )
  expect(await yaml(['a: &a [x]', ...bomb, 'faults: *i'].join('\n'))).toMatch(/:2:\d+: .*alias/)
})
