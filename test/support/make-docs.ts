/** `npm run docs`: writes the pages of docs/ that are generated. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedPages } from './generated-docs.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

for (const [file, page] of Object.entries(generatedPages))
  writeFileSync(join(root, file), await page())
