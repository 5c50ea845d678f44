/** `npm run openapi-examples`: writes the examples of OpenAPI documents anew. */
import { writeFileSync } from 'node:fs'
import { recordControlExamples } from './control-examples.ts'
import { recordExamples } from './openapi-examples.ts'

const write = (file: string, examples: unknown): void =>
  writeFileSync(
    new URL(`../../src/core/runtime/${file}`, import.meta.url),
    `${JSON.stringify(examples, undefined, 2)}\n`,
  )

write('openapi/examples.json', await recordExamples())
write('control/examples.json', await recordControlExamples())
