/**
 * What is wrong with a packed package: its size, its `exports`, and how TypeScript resolves its types. As a program it prints a
 * line for each.
 *
 *   node bin/build/check-package.ts <file.tgz> [largest number of bytes]
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { loadTool } from '../../test/tools/load-tool.ts'
import { sizeLimits } from './size-limits.ts'

interface Publint {
  readonly publint: (options: {
    readonly pack: { readonly tarball: ArrayBuffer }
    readonly strict: true
  }) => Promise<{ readonly messages: readonly { readonly code: string }[]; readonly pkg: unknown }>
}

interface PublintTexts {
  readonly formatMessage: (message: unknown, manifest: unknown) => string | undefined
}

interface TypesChecker {
  readonly createPackageFromTarballData: (tarball: Uint8Array) => unknown
  readonly checkPackage: (
    unpacked: unknown,
  ) => Promise<
    | { readonly types: false }
    | { readonly types: object; readonly problems: readonly { readonly kind: string }[] }
  >
}

/** A package of ES modules only: `require` of them works on every Node of `engines`, where TypeScript still warns. */
const ignoredKinds: ReadonlySet<string> = new Set(['CJSResolvesToESM'])

/** Resolution without `exports`, which no TypeScript from 7.0 on has. */
const ignoredResolution = 'node10'

/** Sentences; none when all is well. */
export async function packageProblems(
  tarball: Uint8Array<ArrayBuffer>,
  limitBytes: number = sizeLimits.packedBytes,
): Promise<readonly string[]> {
  const { publint } = await loadTool<Publint>('publint')
  const { formatMessage } = await loadTool<PublintTexts>('publint/utils')
  const { checkPackage, createPackageFromTarballData } =
    await loadTool<TypesChecker>('@arethetypeswrong/core')
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
  const types = await checkPackage(createPackageFromTarballData(tarball))
  const typeProblems = types.types === false ? [{ kind: 'NoTypes' }] : types.problems
  return [
    ...(tarball.length > limitBytes
      ? [`it is ${tarball.length} bytes as packed, and ${limitBytes} at most are published`]
      : []),
    ...messages.map((each) => `publint: ${formatMessage(each, pkg) ?? each.code}`),
    ...typeProblems
      .filter(({ kind }) => !ignoredKinds.has(kind))
      .filter((each) => !('resolutionKind' in each && each.resolutionKind === ignoredResolution))
      .map((each) => `types: ${JSON.stringify(each)}`),
  ]
}

if (import.meta.main) {
  const [file = '', limit] = process.argv.slice(2)
  const tarball = new Uint8Array(readFileSync(file))
  for (const each of await packageProblems(
    tarball,
    limit === undefined ? undefined : Number(limit),
  ))
    process.stdout.write(`${each}\n`)
}
