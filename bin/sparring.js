#!/usr/bin/env node
// Checks the Node version before anything modern is loaded, then runs the built command line; in a checkout that was
// not built, the sources. An older Node must be able to read this file to its end.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(
    `sparring: it needs Node 22.15 or later, and this is Node ${process.versions.node} (${process.execPath}). ` +
      'Install a newer Node, or start it by an npm script where a newer one is a dependency.\n',
  )
  process.exit(2)
}

// Otherwise React loads its development build, which is slower and uses more memory.
process.env.NODE_ENV ??= 'production'
// Not imported: an `import` of node:fs reads every property of it, which loads streams and promises too.
const { existsSync } = process.getBuiltinModule('node:fs')
process.getBuiltinModule('node:module').enableCompileCache()

const built = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(built)) {
  await import(built.href)
} else {
  const { register } = await import('tsx/esm/api')
  const { fileURLToPath } = process.getBuiltinModule('node:url')
  const here = (path) => fileURLToPath(new URL(path, import.meta.url))
  // Explicit, since tsx would look for it in the working directory of the user.
  register({ tsconfig: here('../tsconfig.json') })
  await import('../src/sparring/main.ts')
}
