#!/usr/bin/env node
// Checks the Node version before anything modern is loaded, then runs the built command line; in a checkout that was
// not built, the sources. An older Node must be able to read this file to its end.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(
    `sparring: it needs Node 22.15 or later, and this is Node ${process.versions.node} (${process.execPath}). ` +
      'Install a newer Node, or start it by an npm script where a newer one is a dependency.\n',
  )
  process.exit(2)
}

// React picks its development build otherwise, which is slower and keeps more memory.
process.env.NODE_ENV ??= 'production'
nodeModule.enableCompileCache?.()

if (existsSync(here('../dist/cli/main.js'))) {
  await import('../dist/cli/main.js')
} else {
  const { register } = await import('tsx/esm/api')
  // Named, since tsx would look for it where the user stands.
  register({ tsconfig: here('../tsconfig.json') })
  await import('../src/cli/main.ts')
}
