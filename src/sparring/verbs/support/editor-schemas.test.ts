/** The JSON Schema for editors accepts every scenario of this repository and rejects invalid ones. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { editorSchemas, scenarioSchema } from './editor-schemas.ts'

const folder = fileURLToPath(new URL('../../../../scenarios/', import.meta.url))
const stories = (await readdir(folder)).filter((file) => file.endsWith('.yaml'))
const schema = z.fromJSONSchema(scenarioSchema())

test.each(stories)('%s is valid by the schema', async (file) => {
  const { error } = schema.safeParse(parse(await readFile(`${folder}${file}`, 'utf8')))
  expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toBeUndefined()
})

test('an unknown key, an invalid value and a placeholder in place of the table are rejected', () => {
  const wrong = [{ stepz: [] }, { faults: 'drop' }, { examples: '${rows}' }, { seed: 'x' }]
  for (const more of wrong)
    expect([more, schema.safeParse({ name: 'a', about: 'b', ...more }).success]).toEqual([
      more,
      false,
    ])
})

/** The places of a keyword `id`; a property of that name is none. */
function* strayIds(value: unknown, isNamed = false, at = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inside] of Object.entries(value)) {
    if (!isNamed && ['example', 'examples', 'default'].includes(key)) continue
    if (key === 'id' && !isNamed) yield `${at}/${key}`
    const isMap = !isNamed && ['properties', '$defs', 'patternProperties'].includes(key)
    yield* strayIds(inside, isMap, `${at}/${key}`)
  }
}

test.each(Object.entries(editorSchemas))(
  '%s has no keyword id, which JSON Schema has not',
  (_, made) => {
    expect([...strayIds(made())]).toEqual([])
  },
)
