/** The sizes that `bin/build/size-limits.ts` bounds, but for the package, whose size its own tests measure. */
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sizeLimits } from '../bin/build/size-limits.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Also files that are not committed yet; a file that was removed is still listed. */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'test'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
  .flatMap((path) => {
    try {
      return [{ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }]
    } catch {
      return []
    }
  })

const isTest = ({ path }: { readonly path: string }): boolean => /\.test\.tsx?$/.test(path)
const product = files.filter((each) => each.path.startsWith('src/') && !isTest(each))
const support = files.filter((each) => each.path.startsWith('test/') && !isTest(each))
const lineCount = (list: typeof files): number => list.reduce((sum, { lines }) => sum + lines, 0)

test.each([
  ['productFiles', product.length],
  ['productLines', lineCount(product)],
  ['testLines', lineCount(files.filter(isTest))],
  ['supportLines', lineCount(support)],
] as const)('%s: %i, and no more than is allowed', (name, size) => {
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThanOrEqual(sizeLimits[name])
})

/** Blocks of 512 bytes below a folder; those of a file with several names count once. */
function blocksBelow(folder: string, counted = new Set<number>()): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !/^\.(?:cache|vite.*)$/.test(name))
    .reduce((sum, entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return sum + blocksBelow(path, counted)
      const { ino, blocks } = lstatSync(path)
      if (counted.has(ino)) return sum
      counted.add(ino)
      return sum + blocks
    }, 0)
}

// Binaries are of other sizes elsewhere.
test.runIf(process.platform === 'linux')('what a clone installs is small enough', () => {
  const megabytes = (blocksBelow(join(root, 'node_modules')) * 512) / 2 ** 20
  expect(megabytes).toBeLessThanOrEqual(sizeLimits.installedMegabytes)
})
