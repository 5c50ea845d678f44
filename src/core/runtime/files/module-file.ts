/** Imports the default export of a TypeScript or JavaScript file: a configuration or a scenario written as code. */
import { pathToFileURL } from 'node:url'
import { problem } from '../../base/problem.ts'
import { checkFile, checkProgram } from './file-access.ts'

/** The default export; without "type": "module" in a package.json, the exports come wrapped in another default. */
function defaultOf(module: unknown): unknown {
  const value: unknown = typeof module === 'object' && module && Reflect.get(module, 'default')
  const wrapped = typeof value === 'object' && value !== null && '__esModule' in value
  return wrapped ? defaultOf({ ...value }) : value
}

/** Runs the module and returns its default export, which must be an object; throws a problem otherwise. */
export async function importDefaultExport(
  file: string,
  path: string,
  what: string,
): Promise<object> {
  checkFile(`running ${file}`, path)
  checkProgram(`running ${file}`)
  const { tsImport } = await import('tsx/esm/api').catch(() => {
    throw problem(
      `reading ${file}`,
      `${what} in TypeScript needs the package tsx, which is not installed`,
      'Install it with npm install --save-dev tsx, or write it as YAML.',
    )
  })
  let module: unknown
  try {
    module = await tsImport(pathToFileURL(path).href, import.meta.url)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw problem(`running ${file}`, why, 'Correct it there.')
  }
  const value = defaultOf(module)
  if (typeof value === 'object' && value !== null) return value
  throw problem(
    `running ${file}`,
    `it exports no ${what.replace(/^an? /, '')}`,
    'End it with export default { … }.',
  )
}
