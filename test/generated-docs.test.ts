/** The generated pages of docs/ say what the product does now. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { generatedPages } from './support/generated-docs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test.each(Object.entries(generatedPages))('%s is up to date: npm run docs', async (file, page) => {
  expect(readFileSync(join(root, file), 'utf8')).toBe(await page())
})
