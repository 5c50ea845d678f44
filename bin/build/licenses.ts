/** The licenses of the packages whose code is bundled: they ask to be passed on with it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const BundledPackage = z.object({ name: z.string(), version: z.string(), license: z.string() })

/** The folder of the package that a module belongs to; undefined for our own. */
function packageFolderOf(moduleId: string): string | undefined {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId) ?? []
  return folder
}

/** One text for all packages that the modules belong to; a license that several share is printed once. */
export function licensesText(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.map(packageFolderOf).filter((folder) => folder !== undefined))
  const namesByText = new Map<string, string[]>()
  for (const folder of folders) {
    const { name, version, license } = BundledPackage.parse(
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    )
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    const text =
      file === undefined
        ? `${license} license; the package has no file of it.`
        : readFileSync(join(folder, file), 'utf8').trim()
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version}`])
  }
  const sections = [...namesByText].map(([text, names]) => [names.sort().join(', '), text] as const)
  return sections
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([names, text]) => `## ${names}\n\n${text}\n`)
    .join('\n')
}
