// @module-tag slow
/** What was read before changes nothing: places of documents are only found once, and the same by every way. */
import { beforeAll, expect, test, vi } from 'vitest'
import { hashWith } from '../../../../test/support/redactor.ts'
import { createChance } from '../../engine/chance.ts'
import { applySample } from '../../partners/seed-data/apply-sample.ts'
import { generateOrder } from '../../partners/seed-data/orders.ts'
import { createPopulation } from '../../partners/seed-data/population.ts'
import { sampleNamed, sampleNames } from '../../partners/seed-data/samples.ts'
import examples from '../../runtime/openapi/examples.json' with { type: 'json' }
import { minifyJson } from '../json/json-string.ts'

const now = Date.parse('2026-01-05T12:00:00Z')
/** The bodies of every operation, and an order of every sample. */
let texts: readonly string[]

beforeAll(async () => {
  const population = await createPopulation({ chance: createChance(7, 'population'), now })
  const orders = sampleNames.map((name) => {
    const chance = createChance(7, name)
    const [type = 'DELIVERY'] = sampleNamed(name).types ?? []
    const made = applySample(name, generateOrder({ population, chance, now, type }), {
      chance,
      now,
    })
    if (!made.ok) throw new Error(made.error)
    return made.value
  })
  texts = [...Object.values(examples), ...orders].map((each) => JSON.stringify(each))
})

/** A redactor that has read nothing: of modules of its own. */
async function freshRedactor() {
  vi.resetModules()
  const { createRedactor } = await import('./redactor.ts')
  const { KnownValues } = await import('./known-values.ts')
  const redactor = createRedactor(hashWith('a key'), new KnownValues())
  return (text: string) => {
    const { value, red } = redactor.body('response', text, 'application/json', 'http://a/v1/orders')
    return JSON.stringify([minifyJson(value), red])
  }
}

/** The members in reverse, as some programs write them. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toReversed()
  return Object.fromEntries(members.map(([name, each]) => [name, turned(each)]))
}

const turnedText = (text: string): string => JSON.stringify(turned(JSON.parse(text)))
/** No name is written as it is in most documents. */
const spaced = (text: string): string =>
  text.replaceAll(/("(?:[^"\\]|\\.)*")|:/g, (all, literal) => (literal === undefined ? ' : ' : all))

test('a body comes out the same whatever was read before, and however its names are written', async () => {
  const [redact, another] = [await freshRedactor(), await freshRedactor()]
  const before = texts.map((text) => [redact(text), redact(turnedText(text))])
  const after = texts
    .toReversed()
    .map((text) => [another(turnedText(text)), another(text)].toReversed())
  expect(after.toReversed()).toEqual(before)
  expect(texts.map((text) => [redact(spaced(text)), redact(spaced(turnedText(text)))])).toEqual(
    before,
  )
})

test('a document of more names than are remembered changes nothing either', async () => {
  const redact = await freshRedactor()
  const before = texts.map(redact)
  const names = Array.from({ length: 25_000 }, (_, n) => [`k${n}`, n])
  const many = JSON.stringify(Object.fromEntries(names))
  expect([redact(many), redact(many)].map((each) => each === JSON.stringify([many, []]))).toEqual([
    true,
    true,
  ])
  expect(texts.map(redact)).toEqual(before)
})
