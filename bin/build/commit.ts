/** The commit that a build is made from. */
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'

/** What git prints, or nothing where there is no git or it refuses. */
function gitOutput(cwd: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * Such as `abc1234`, with `-dirty` where files differ from it. Nothing where the folder is no checkout of its own: an
 * unpacked archive may lie in the repository of something else.
 */
export function commitOf(folder: string): string | undefined {
  const top = gitOutput(folder, 'rev-parse', '--show-toplevel')
  if (top === undefined || realpathSync(top) !== realpathSync(folder)) return undefined
  return gitOutput(folder, 'describe', '--always', '--dirty', '--abbrev=7', '--exclude=*')
}
