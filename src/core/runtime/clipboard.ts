/**
 * The clipboard of the terminal, through OSC 52: it works over ssh and in containers, where no clipboard of the machine is the
 * one of the person. A multiplexer passes the sequence on when it is wrapped for it.
 */
import { err, ok, type Result } from '../protocol/result.ts'

/** In bytes: many terminals ignore a sequence that is longer than 100 kB in base64. */
export const maxClipboardBytes = 74_994

const escape = '\u{1b}'
const bell = '\u{7}'
const stringTerminator = `${escape}\\`

export interface ClipboardEnvironment {
  /** Set inside tmux. */
  readonly TMUX?: string | undefined
  /** Set inside GNU screen. */
  readonly STY?: string | undefined
}

/** The sequence that puts a text into the clipboard; the error says why it cannot. */
export function clipboardSequence(
  text: string,
  { TMUX: tmux, STY: screen }: ClipboardEnvironment = {},
): Result<string, string> {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length === 0) return err('there is nothing to copy: it is empty')
  if (bytes.length > maxClipboardBytes)
    return err(
      `it has ${bytes.length} bytes, and a terminal takes at most ${maxClipboardBytes}: copy a part of it, or export it`,
    )
  const plain = `${escape}]52;c;${bytes.toString('base64')}${bell}`
  // tmux takes the plain sequence with `set-clipboard on`, and the wrapped one with `allow-passthrough on`.
  if (tmux !== undefined && tmux !== '')
    return ok(
      `${plain}${escape}Ptmux;${plain.replaceAll(escape, escape + escape)}${stringTerminator}`,
    )
  return ok(screen !== undefined && screen !== '' ? `${escape}P${plain}${stringTerminator}` : plain)
}

/** Writes to a terminal; frames and sequences are whole writes, so that they do not mix. */
export const createCopyText =
  (output: NodeJS.WritableStream, environment: ClipboardEnvironment) =>
  (text: string): Result<undefined, string> => {
    const sequence = clipboardSequence(text, environment)
    if (!sequence.ok) return sequence
    output.write(sequence.value)
    return ok(undefined)
  }
