/** `sparring run`: finds the scenarios that are named. Playing them is not built yet, and it says so. */
import { defineVerb } from '../verb.ts'

export const run = defineVerb({
  name: 'run',
  summary:
    'rehearse scenarios without a screen (this version finds them, but cannot play them yet)',
  arguments: [
    {
      name: 'scenario',
      summary: 'files or patterns such as scenarios/*.yaml',
      required: true,
      many: true,
    },
  ],
  async run({ scenario }, io) {
    const { glob } = await import('node:fs/promises')
    const { problem } = await import('../../problem.ts')
    const found: string[] = []
    for (const pattern of scenario) {
      const before = found.length
      for await (const file of glob(pattern, { cwd: io.cwd })) found.push(file)
      if (found.length === before)
        throw problem(
          `looking for scenarios in ${io.cwd}`,
          `nothing fits "${pattern}"`,
          'Name a file that is there, or quote a pattern that the shell should not read.',
        )
    }
    throw problem(
      `playing ${found[0]}`,
      'this version has no scenario player yet',
      'Drive a session by hand with sparring up, orders, agenda and events.',
    )
  },
})
