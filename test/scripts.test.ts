/** Every script of package.json has a place where it is run, and those that take seconds are run here. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { builtFolder, scriptPlaces } from './support/script-places.ts'
import { testedPackage } from './support/tested-command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('every script is run somewhere', () => {
  const manifest = readFileSync(`${root}package.json`, 'utf8')
  const { scripts } = JSON.parse(manifest) as { readonly scripts: Readonly<Record<string, string>> }
  expect(Object.keys(scriptPlaces).toSorted()).toEqual(Object.keys(scripts).toSorted())
})

const here = Object.entries(scriptPlaces).flatMap(([name, place]) =>
  place.runBy === 'every run' ? [{ name, ...place }] : [],
)

test.each(here)('npm run $name $args', async ({ name, args = [], prints }) => {
  const built = testedPackage()
  const given = args.map((each) => each.replace(builtFolder, built))
  const result = await new Promise<{ readonly code: unknown; readonly output: string }>(
    (resolve) => {
      execFile(
        process.execPath,
        ['--run', name, '--', ...given],
        { cwd: root },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      )
    },
  )
  expect(result).toEqual({ code: 0, output: expect.stringMatching(prints) })
})
