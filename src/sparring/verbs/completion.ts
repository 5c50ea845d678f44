/** `sparring completion`: prints a completion script for a shell. */
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { writeWithBackpressure } from '../../core/runtime/recording/write-with-backpressure.ts'
import { defineVerb, type Verb } from '../../terminal/cli/verb.ts'

/** Takes the list of verbs as a function, because the list contains this verb too. */
export const createCompletionVerb = (verbs: () => readonly Verb[]): Verb =>
  defineVerb({
    name: 'completion',
    summary: 'print a completion script for a shell',
    arguments: [
      { name: 'shell', summary: 'the shell', required: true, choices: ['bash', 'zsh', 'fish'] },
    ],
    details: `
Examples:
  source <(sparring completion bash)      in ~/.bashrc
  source <(sparring completion zsh)       in ~/.zshrc
  sparring completion fish | source       in ~/.config/fish/config.fish`,
    async run({ shell }, io) {
      const { bashScript, fishScript, completionContexts, zshScript } =
        await import('./support/completion.ts')
      const script = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell]
      await writeWithBackpressure(io.stdout, script(completionContexts(verbs())))
      return exitCode.done
    },
  })
