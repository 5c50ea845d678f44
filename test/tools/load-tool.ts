/**
 * Loads a package of `test/tools/package.json`, which `npm run nightly` and `npm run release` alone install. Who loads one
 * says by a type what it uses of it, so that the compiler needs none of them.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of an installed tool, such as `node-lowest`. */
export const toolFolder = (name: string): string =>
  fileURLToPath(new URL(`node_modules/${name}`, import.meta.url))

export const hasTool = (name: string): boolean => existsSync(toolFolder(name))

/** `import` of a tool: `await loadTool<typeof lint>('some-linter')`. */
export const loadTool = async <Tool>(specifier: string): Promise<Tool> =>
  (await import(specifier)) as Tool
