/** What the mouse does, for the help. */
export interface MouseGesture {
  readonly gesture: string
  readonly title: string
}

export const mouseGestures: readonly MouseGesture[] = [
  { gesture: 'wheel', title: 'scroll what is under the pointer' },
  { gesture: 'click', title: 'choose a row; a tab or hint: its key' },
  { gesture: 'double click', title: 'open the row' },
  { gesture: 'shift+drag', title: 'select text by the terminal itself' },
]
