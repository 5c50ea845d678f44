/**
 * The data that README.md, docs/ and scenarios/ print, each fed to the parser that it documents: configurations, scenarios with
 * their steps and expectations, faults, menus, data of certifications. What is of other programs is listed with its reason.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { CertificationData } from '../src/certify/judge/certification-data.ts'
import { DialectFile } from '../src/core/protocol/dialects/own-dialect.ts'
import { CustomerInput } from '../src/core/protocol/customer/customer.ts'
import { CustomerEvent } from '../src/core/protocol/customer/event.ts'
import { Account } from '../src/core/protocol/indoor/account.ts'
import { AccountEventBody } from '../src/core/protocol/indoor/events.ts'
import { Delivery, DeliveryEvent } from '../src/core/protocol/logistics/bodies.ts'
import { checkConfiguration } from '../src/core/runtime/files/check-configuration.ts'
import { checkSchema } from '../src/core/runtime/files/schema-errors.ts'
import { withoutSchemaReference } from '../src/core/runtime/files/list-files.ts'
import { MenuItemSettings } from '../src/core/session-api/configuration/menu.ts'
import { configurationParts } from '../src/core/session-api/configuration/schema.ts'
import { readRuns } from '../src/core/scenario/read.ts'
import { Expect } from '../src/core/scenario/expect.ts'
import { ScenarioStep } from '../src/core/scenario/steps.ts'
import { openSession } from '../src/sparring/library/index.ts'
import { shellWords, splitComment } from './support/shell-words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['README.md', ...globSync('{docs,scenarios}/**/*.md', { cwd: root }).toSorted()].map(
  (page) => ({ page, text: readFileSync(join(root, page), 'utf8') }),
)

const configurationOf = (value: unknown) => {
  const checked = checkConfiguration(withoutSchemaReference(value) ?? {}, 'the session')
  if (!checked.ok) throw new Error(JSON.stringify(checked.error))
  return checked.value
}

const scenarioOf = (value: unknown) => {
  const runs = readRuns(value, checkSchema)
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  return runs.value.map(({ title, channel, scenario }) => ({ title, channel, ...scenario }))
}

type Parser = (value: unknown) => unknown

/** What a block is for, by how it begins; the first that fits counts. */
const kinds: readonly (readonly [
  name: string,
  begins: RegExp,
  parser: Parser | 'of another program',
])[] = [
  [
    'clients of the Model Context Protocol',
    /^\{\n {2}"(?:mcpServers|servers)"|^\[mcp_servers/,
    'of another program',
  ],
  ['an editor', /^\{\n {2}"yaml\.schemas"/, 'of another program'],
  ['GitHub', /^(?:# \.github|- run: node)/, 'of another program'],
  ['Prometheus', /^# prometheus/, 'of another program'],
  ['an OpenTelemetry collector', /^# A collector/, 'of another program'],
  ['data of a certification', /^# ids\.yaml/, (value) => CertificationData.parse(value)],
  ['a dining account', /^\{\n {2}"accountId"/, (value) => Account.parse(value)],
  ['an account event', /^\{[^{]*"eventType": "PAYMENT/, (value) => AccountEventBody.parse(value)],
  ['a delivery', /^\{\n {2}"id": "d-/, (value) => Delivery.parse(value)],
  ['a delivery event', /^\{[^{]*"deliveryId"/, (value) => DeliveryEvent.parse(value)],
  ['a customer', /^\{\n {2}"id": "c-/, (value) => CustomerInput.parse(value)],
  ['a customer event', /^\{\n {2}"event": /, (value) => CustomerEvent.parse(value)],
  ['a dialect', /^name: .*\nsummary: /, (value) => DialectFile.parse(value)],
  ['a scenario', /^(?:#.*\n)*name: /, scenarioOf],
  ['a configuration', /^/, configurationOf],
]

const blocks = pages.flatMap(({ page, text }) =>
  Array.from(text.matchAll(/```(yaml|json|toml)\n([^]*?)\n```/g), ([, , block = ''], index) => {
    const [kind = '', , parser] = kinds.find(([, begins]) => begins.test(block)) ?? []
    return { page, number: index + 1, block, kind, parser }
  }),
)

const parsedBlocks = blocks.flatMap(({ parser, ...each }) =>
  typeof parser === 'function' ? [{ ...each, parser }] : [],
)

/** Placeholders of a reader stand for a text. */
const filled = (text: string): string => text.replaceAll('…', 'x')

test.each(parsedBlocks)('$page, block $number is $kind', ({ block, parser }) => {
  expect(() => parser(parse(filled(block)))).not.toThrow()
})

const blockOf = (page: string, kind: string): unknown => {
  const found = parsedBlocks.find((each) => each.page === page && each.kind === kind)
  return found?.parser(parse(filled(found.block)))
}

test('what the blocks say is what their pages say about them', () => {
  expect(blockOf('docs/software-service.md', 'a configuration')).toMatchObject({
    subject: { role: 'software-service' },
    merchants: [{ id: 'store-1', name: 'Sushi da Vila', externalCode: 'LOJA-001' }],
    menu: [
      { externalCode: 'P-101', price: 39.9, category: 'Pizza' },
      {
        externalCode: 'P-102',
        price: 42.5,
        options: [
          {
            name: 'Size',
            min: 1,
            max: 1,
            choices: [
              { name: 'Small', price: 0 },
              { name: 'Large', price: 8 },
            ],
          },
          {
            name: 'Extras',
            min: 0,
            max: 2,
            choices: [
              { name: 'Bacon', price: 4.5 },
              { name: 'Egg', price: 0 },
            ],
          },
        ],
      },
    ],
  })
  expect(blockOf('docs/certify.md', 'data of a certification')).toEqual({
    merchants: ['merchant-1'],
    tables: ['12', '13'],
    customers: ['customer-1', 'customer-2'],
    programs: ['club'],
    coupons: ['WELCOME10'],
  })
  expect(blockOf('docs/certify.md', 'a configuration')).toMatchObject({
    port: 7200,
    subject: { role: 'ordering-application', url: 'http://127.0.0.1:7101' },
    conduct: { manifest: 'require' },
  })
  expect(blockOf('docs/editors.md', 'a configuration')).toMatchObject({ port: 7100 })
  expect(blockOf('docs/metrics.md', 'a configuration')).toMatchObject({
    tracing: { otlp: 'http://collector:4318', headers: { 'api-key': 'x' } },
  })
  expect(blockOf('scenarios/README.md', 'a scenario')).toMatchObject([
    {
      title: 'An event comes twice',
      channel: 'polling',
      faults: [{ duplicate: { event: 'CONFIRMED' } }],
      expect: { calls: [{ call: 'confirmOrder', order: 'o1', times: 1 }] },
    },
  ])
})

/** Files are read beside the configuration. */
const namesFile = (code: string): boolean => /^\w+: \S+\.csv$/.test(code)

/** Inline code `key: value`, by the parser of its key. */
const inlineKinds: readonly (readonly [keys: ReadonlySet<string>, parser: Parser])[] = [
  [
    new Set(['options']),
    (value) =>
      MenuItemSettings.parse({ externalCode: 'a', name: 'b', price: 1, ...(value as object) }),
  ],
  [new Set(Object.keys(configurationParts)), configurationOf],
]
const scenarioInlineKinds: typeof inlineKinds = [
  [new Set(Object.keys(Expect.shape)), (value) => Expect.parse(value)],
  [
    new Set([
      'create',
      'crowd',
      'trigger',
      'emit',
      'await',
      'advance',
      'check',
      'delay',
      'step',
      'take',
      'pause',
      'resume',
      'fault',
      'end-of-faults',
      'ask',
      'restart-subject',
      'undo',
      'redo',
    ]),
    (value) => ScenarioStep.parse(value),
  ],
]

const inline = pages.flatMap(({ page, text }) =>
  Array.from(text.matchAll(/`([a-z][\w-]*): ([^`]+)`/gi), ([, key = '', value = '']) => {
    const mine = page.startsWith('scenarios')
      ? scenarioInlineKinds
      : [...inlineKinds, ...scenarioInlineKinds]
    const [, parser] = mine.find(([keys]) => keys.has(key)) ?? []
    return { page, code: `${key}: ${value}`, parser }
  }).flatMap(({ parser, ...each }) =>
    parser && !each.code.includes('…') && !namesFile(each.code) ? [{ ...each, parser }] : [],
  ),
)

test.each(inline)('$page: $code', ({ code, parser }) => {
  expect(() => parser(parse(code))).not.toThrow()
})

/** Faults as they are typed: behind `--fault` and `faults add`. */
const faults = pages.flatMap(({ page, text }) =>
  Array.from(text.matchAll(/```sh\n([^]*?)\n```/g), ([, block = '']) => block.split('\n'))
    .flat()
    .flatMap((line) => {
      const words = shellWords(splitComment(line).command)
      const named = words.filter(
        (_, index) =>
          words[index - 1] === '--fault' ||
          (words[index - 2] === 'faults' && words[index - 1] === 'add'),
      )
      return named.map((fault) => ({ page, fault }))
    }),
)

test('every fault that a page prints can be added', async () => {
  const service = { end: () => undefined, start: () => undefined }
  await using session = await openSession({ clock: 'virtual', listen: false, service })
  expect(faults.length).toBeGreaterThan(4)
  for (const { page, fault } of faults) {
    const added = session.faults.add(fault)
    expect({ page, fault, text: added[0]?.text }).toMatchObject(
      fault.includes(':') ? { text: fault } : { text: expect.any(String) },
    )
  }
})
