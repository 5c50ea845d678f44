/**
 * Builds the types of the library: one file for each import path, and one for what they share. The compiler writes a
 * declaration for each source; those are rolled up, types inferred from schemas are written out, and what nothing needs any
 * more is dropped.
 *
 *   node bin/build/types.ts [folder]
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { libraryEntries, librarySource } from './entries.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Declarations of all sources that the entries import. Types are checked elsewhere: here they are only written. */
function emitDeclarations(entries: readonly string[], folder: string): void {
  const project = join(folder, 'tsconfig.json')
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        noCheck: true,
        declaration: true,
        emitDeclarationOnly: true,
        stripInternal: true,
        rootDir: join(root, 'src'),
        outDir: join(folder, 'emitted'),
      },
      include: [],
      files: entries.map((name) => join(root, librarySource(name))),
    }),
  )
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json'))
  execFileSync(process.execPath, [join(compiler, '../bin/tsc'), '-p', project, '--checkers', '1'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Rolls up the declarations of the entries in one folder into another. */
async function rollUp(entries: readonly string[], from: string, to: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(from, `${name}.d.ts`)])),
    // The declarations exist: no generator runs.
    plugins: [dts({ dtsOnly: true, generator: 'oxc', tsconfig: false })],
    checks: { pluginTimings: false },
    external: (id) => /^[^./\0]/.test(id),
  })
  await bundle.write({
    dir: to,
    cleanDir: true,
    entryFileNames: '[name].ts',
    chunkFileNames: 'types.d.ts',
  })
  await bundle.close()
}

async function buildTypes(target: string): Promise<void> {
  const entries = libraryEntries()
  // Below the root, so that the packages that the types import are found.
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'sparring-types-'))
  try {
    emitDeclarations(entries, folder)
    await rollUp(entries, join(folder, 'emitted/sparring/library'), join(folder, 'rolled'))
    const inferred = fileURLToPath(new URL('inferred-types.ts', import.meta.url))
    // Piped: the compiler prints a line when it is closed. What it prints is part of the error when it fails.
    execFileSync(process.execPath, [inferred, join(folder, 'rolled'), ...entries], {
      stdio: 'pipe',
    })
    await rollUp(entries, join(folder, 'rolled'), join(folder, 'types'))
    cpSync(join(folder, 'types'), target, { recursive: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await buildTypes(process.argv[2] ?? join(root, 'dist'))
