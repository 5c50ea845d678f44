/** `npm run docs`: writes the pages of docs/ that are generated, in their order: the last are made of the others. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedPages } from './generated-docs.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

for (const [file, page] of Object.entries(generatedPages)) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), await page())
}
