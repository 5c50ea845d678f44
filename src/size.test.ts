/** The sizes that `bin/build/size-limits.ts` bounds, but for the package, whose size its own tests measure. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
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

const megabytesOf = (blocks: number): number => (blocks * 512) / 2 ** 20

interface LockedPackage {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly peer?: boolean
}

/** Folders of what is installed with the package; of the compiler's binaries only that of this platform is there. */
function dependencyFolders(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .map(([path]) => join(root, path))
    .filter((folder) => existsSync(folder))
}

test('npm i sparring brings few packages', () => {
  const folders = dependencyFolders()
  expect(folders.length).toBeGreaterThan(0)
  expect(folders.length).toBeLessThanOrEqual(sizeLimits.dependencies)
})

// Binaries are of other sizes elsewhere.
test.runIf(process.platform === 'linux')('what npm i sparring brings is small', () => {
  const counted = new Set<number>()
  const blocks = dependencyFolders().reduce((sum, each) => sum + blocksBelow(each, counted), 0)
  expect(megabytesOf(blocks)).toBeLessThanOrEqual(sizeLimits.dependencyMegabytes)
})

test.runIf(process.platform === 'linux')('what a clone installs is small enough', () => {
  const megabytes = megabytesOf(blocksBelow(join(root, 'node_modules')))
  expect(megabytes).toBeLessThanOrEqual(sizeLimits.installedMegabytes)
})
