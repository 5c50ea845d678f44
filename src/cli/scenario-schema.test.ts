/** The schema that editors read: it takes every story of this repository, placeholders and all, and refuses what is none. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { scenarioSchema } from './scenario-schema.ts'

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url))
const stories = (await readdir(folder)).filter((file) => file.endsWith('.yaml'))
const schema = z.fromJSONSchema(scenarioSchema())

test.each(stories)('an editor finds nothing wrong with %s', async (file) => {
  const { error } = schema.safeParse(parse(await readFile(`${folder}${file}`, 'utf8')))
  expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toBeUndefined()
})

test('an editor marks a key that is not known, a value that is none, and a table that is a placeholder', () => {
  const wrong = [{ stepz: [] }, { faults: 'drop' }, { examples: '${rows}' }, { seed: 'x' }]
  for (const more of wrong)
    expect([more, schema.safeParse({ name: 'a', about: 'b', ...more }).success]).toEqual([
      more,
      false,
    ])
})
