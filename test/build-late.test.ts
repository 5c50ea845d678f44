import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, expect, test } from 'vitest'
import { lazyValues } from '../build-late.ts'

// Below node_modules, so that the built code resolves zod.
const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url))
mkdirSync(cache, { recursive: true })
const root = mkdtempSync(join(cache, 'late-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The exports of the built modules; the first one is the entry. */
async function builtFrom<Exports>(modules: Readonly<Record<string, string>>): Promise<Exports> {
  const folder = mkdtempSync(join(root, 'src-'))
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text)
  const [first = ''] = Object.keys(modules)
  const bundle = await rolldown({
    input: join(folder, first),
    external: ['zod'],
    plugins: [lazyValues(folder)],
  })
  const { output } = await bundle.write({ dir: join(folder, 'out') })
  await bundle.close()
  return import(pathToFileURL(join(folder, 'out', output[0].fileName)).href) as Promise<Exports>
}

/** Records the order of construction. */
const diary = `
  export const made: string[] = []
  export const note = <Value>(name: string, value: Value): Value => (made.push(name), value)`

test('a schema is built lazily on first use, once, and shared', async () => {
  const { made, readPrice, readOrder, sameTwice } = await builtFrom<{
    made: string[]
    readPrice: (value: unknown) => boolean
    readOrder: (value: unknown) => boolean
    sameTwice: () => boolean
  }>({
    'main.ts': `
      import { made } from './diary.ts'
      import { Order, Price as Cost } from './shapes.ts'
      export { made }
      export const readPrice = (value: unknown) => Cost.safeParse(value).success
      export const readOrder = (value: unknown) => Order.safeParse(value).success
      export const sameTwice = () => Order === Order && Order.shape.price === Cost`,
    'shapes.ts': `
      import { z } from 'zod'
      import { note } from './diary.ts'
      export const Price = note('price', z.object({ value: z.number() }))
      export type Price = z.infer<typeof Price>
      export const Order = note('order', z.object({ price: Price }))
      export const Never = note('never', z.string())`,
    'diary.ts': diary,
  })
  expect(made).toEqual([])
  expect(readPrice({ value: 1 })).toBe(true)
  expect(made).toEqual(['price'])
  expect(readOrder({ price: {} })).toBe(false)
  expect(sameTwice()).toBe(true)
  expect(made).toEqual(['price', 'order'])
})

test('a shadowed name is left alone, and a shorthand property keeps its name', async () => {
  const { run } = await builtFrom<{ run: () => unknown }>({
    'main.ts': `
      import { z } from 'zod'
      const text = z.string()
      const index = z.number()
      const table = { text, index, other: { text: index } }
      const shadowed = (text: string) => text.length
      const nested = ({ index = text }: { index?: unknown }, [first]: number[]) => index === text && first
      function counted() {
        let sum = 0
        for (const index of [1, 2]) sum += index
        for (let text = 0; text < 3; text++) sum += text
        try { throw 7 } catch (index) { sum += index as number }
        switch (sum) { case 13: { const table = 1; return sum + table } }
        return sum
      }
      class Reader { text = text; read(index: number) { return index + counted() } }
      export const run = () => [
        Object.keys(table), table.text === text, table.other.text === index, shadowed('four'),
        nested({}, [5]), counted(), new Reader().text === text, new Reader().read(1),
      ]`,
  })
  expect(run()).toEqual([['text', 'index', 'other'], true, true, 4, 5, 14, true, 15])
})

test('arguments of methods are built with the value; array elements and arguments of own functions are not', async () => {
  const { made, shapes, rows } = await builtFrom<{
    made: string[]
    shapes: () => Record<string, unknown>
    rows: { id: string; shape: () => unknown }[]
  }>({
    'main.ts': `
      import { z } from 'zod'
      import { made, note } from './diary.ts'
      export { made }
      const Word = note('word', z.string())
      const wordsOf = ['a', 'b'].map((name) => [name, Word] as const)
      const later = (make: () => unknown) => make
      export const rows = [{ id: 'one', shape: () => Word }, { id: 'two', shape: later(() => Word) }]
      note('rows', rows)
      export const shapes = () => Object.fromEntries(wordsOf)`,
    'diary.ts': diary,
  })
  expect(made).toEqual(['rows'])
  expect(shapes()['b']).toBe(rows[1]?.shape())
  expect(made).toEqual(['rows', 'word'])
})

test('a namespace import has the constants by name', async () => {
  const { run } = await builtFrom<{ run: () => Promise<unknown> }>({
    'main.ts': `
      export const run = async () => {
        const { Word } = await import('./words.ts')
        const all = await import('./more.ts')
        return [Word.parse('a'), all.Longer.parse('abc'), all.isWord('b')]
      }`,
    'words.ts': `import { z } from 'zod'\nexport const Word = z.string()`,
    'more.ts': `
      import { Word } from './words.ts'
      export const Longer = Word.min(2)
      export const isWord = (value: unknown) => Word.safeParse(value).success`,
  })
  expect(await run()).toEqual(['a', 'abc', true])
})
