/** The JSON Schema for editors accepts every scenario of this repository and rejects invalid ones. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { scenarioSchema } from './editor-schemas.ts'

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
