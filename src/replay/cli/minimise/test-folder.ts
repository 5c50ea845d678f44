/** A folder in which an exported test runs: `sparring` and Vitest can be imported there, or a small stand-in for it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFolder } from '../../../core/runtime/version.ts'

/** This program runs from its sources. */
const isSource = import.meta.url.endsWith('.ts')

/** `test` and `expect(…).toEqual(…)`, as much as an exported test needs. */
const standIn = `import assert from 'node:assert/strict'
export const expect = (is) => ({ toEqual: (wanted) => assert.deepEqual(is, wanted) })
export const test = async (name, options, run = options) => {
  try {
    await run()
    process.exit(0)
  } catch (error) {
    console.error(name, error)
    process.exit(1)
  }
}
`

function addPackage(folder: string, name: string, source: string): void {
  const own = join(folder, 'node_modules', name)
  mkdirSync(own, { recursive: true })
  writeFileSync(
    join(own, 'package.json'),
    JSON.stringify({ name, type: 'module', main: 'main.js' }),
  )
  writeFileSync(join(own, 'main.js'), source)
}

/** The folder of Vitest, where the working folder or this package has one. */
function vitestFolder(cwd: string): string | undefined {
  for (const from of [join(cwd, 'package.json'), join(packageFolder, 'package.json')])
    try {
      return dirname(createRequire(from).resolve('vitest/package.json'))
    } catch {
      // Not there.
    }
  return undefined
}

/** The command that runs a test file of the folder. */
export function prepareTestFolder(
  folder: string,
  cwd: string,
): (file: string) => readonly [program: string, ...args: string[]] {
  const library = pathToFileURL(
    join(packageFolder, isSource ? 'src/sparring/library/index.ts' : 'dist/index.js'),
  )
  addPackage(folder, 'sparring', `export * from ${JSON.stringify(library.href)}\n`)
  const vitest = vitestFolder(cwd)
  if (vitest === undefined) {
    addPackage(folder, 'vitest', standIn)
    return (file) => [process.execPath, '--experimental-strip-types', '--no-warnings', file]
  }
  symlinkSync(vitest, join(folder, 'node_modules/vitest'), 'junction')
  return (file) => [process.execPath, join(vitest, 'vitest.mjs'), 'run', '--root', folder, file]
}

/** The command line of this program, for scripts. */
export function ownCommand(): readonly string[] {
  if (!isSource) return [process.execPath, join(packageFolder, 'bin/sparring.js')]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return [process.execPath, '--import', tsx, join(packageFolder, 'src/sparring/main.ts')]
}
