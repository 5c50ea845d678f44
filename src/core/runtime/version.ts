/** The version and the folder of this package. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCommit } from './build-commit.ts'

/** With a slash at the end. */
export const packageFolder = folderAbove(fileURLToPath(import.meta.url))

/** The folder of the nearest package.json above a file: the sources and the build lie at different depths. */
function folderAbove(file: string): string {
  const folder = dirname(file)
  if (folder === file) throw new Error('no package.json above the program')
  return existsSync(join(folder, 'package.json')) ? `${folder}${sep}` : folderAbove(folder)
}

interface PackageFile {
  readonly version: string
  readonly engines: { readonly node: string }
}

let cached: PackageFile | undefined

const packageFile = (): PackageFile =>
  (cached ??= JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as PackageFile)

/** The version of package.json alone, such as `0.1.0`: for what is compared between builds. */
export const packageVersion = (): string => packageFile().version

/** The lowest version of Node of package.json, such as `22.15`. */
export const lowestNode = (): string => packageFile().engines.node.replace('>=', '')

const versionAt = (commit: string | undefined): string =>
  commit === undefined ? packageVersion() : `${packageVersion()} (${commit})`

let ofThisBuild: string | undefined

/** The version with the commit where one is known, such as `0.1.0 (abc1234)`: for people and reports. */
export const buildVersion = (commit: string | undefined = buildCommit): string =>
  commit === buildCommit ? (ofThisBuild ??= versionAt(commit)) : versionAt(commit)
