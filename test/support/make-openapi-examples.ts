/** `npm run openapi-examples`: writes the examples of OpenAPI documents anew. */
import { writeFileSync } from 'node:fs'
import { recordExamples } from './openapi-examples.ts'

const file = new URL('../../src/edge/openapi/examples.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(await recordExamples(), undefined, 1)}\n`)
