/**
 * `sparring init`: writes a configuration file with every setting. It names the schema that editors complete it by: that of
 * the installed package, or else one that is written beside it.
 */
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { roleChoice } from '../../terminal/cli/flags.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

const file = 'sparring.config.yaml'

async function write(name: string, text: string, replace: boolean, io: Io): Promise<void> {
  const { problem } = await import('../../core/base/problem.ts')
  const { saveOutput } = await import('../../core/runtime/files/output.ts')
  try {
    await saveOutput(name, text, { replace, cwd: io.cwd })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw problem(
      `writing ${name} in ${io.cwd}`,
      exists ? 'it exists' : String(error instanceof Error ? error.message : error),
      exists ? 'Overwrite it with --force.' : 'Go to a folder that can be written to.',
    )
  }
  await printLine(io.stdout, name)
}

export const initVerb = defineVerb({
  name: 'init',
  summary: `write ${file} with every setting explained, and its schema for your editor`,
  flags: [
    { name: 'as', value: '<role>', summary: 'role of your service', ...roleChoice },
    { name: 'force', summary: 'overwrite an existing file' },
  ],
  async run({ as, force }, io) {
    const { configurationTemplate, schemaFile } =
      await import('./support/configuration-template.ts')
    const { editorSchemas, installedSchema } = await import('./support/editor-schemas.ts')
    const installed = installedSchema(io.cwd, 'configuration.json')
    await write(file, configurationTemplate(as, installed), force === true, io)
    if (installed !== undefined) return exitCode.done
    const schema = editorSchemas['configuration.json']()
    // The schema is ours alone: nothing of the user is lost in it.
    await write(schemaFile, `${JSON.stringify(schema, undefined, 2)}\n`, true, io)
    return exitCode.done
  },
})
