/** Modules in files of their own, whose services are explored in worker threads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DefectName } from '../../src/demo/defects.ts'

const support = new URL('explore-reference.ts', import.meta.url).href

/** A folder of such modules, until it is disposed. */
export function createServiceModules() {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-workers-'))
  function moduleOf(name: string, ...lines: readonly string[]): URL {
    const file = join(folder, name)
    writeFileSync(file, lines.join('\n'))
    return pathToFileURL(file)
  }
  return {
    folder,
    moduleOf,
    /** The reference service, with lines of its own for each request. */
    referenceFile: (name: string, defect: DefectName, ...onRequest: readonly string[]): URL =>
      moduleOf(
        name,
        "import { existsSync, writeFileSync } from 'node:fs'",
        `import { referenceModule } from ${JSON.stringify(support)}`,
        `const service = referenceModule({ defects: ['${defect}'], channel: 'polling' })`,
        'let requests = 0',
        'const subject = (request: Request): Promise<Response> => {',
        '  requests++',
        ...onRequest,
        '  return service.subject(request)',
        '}',
        'export default { ...service, subject }',
      ),
    dispose: () => rmSync(folder, { recursive: true }),
  }
}
