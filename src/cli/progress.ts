import yoctoSpinner from 'yocto-spinner';
import type { Terminal } from './terminal.js';

/** Shows how a task gets on: a spinner for a person, one line a change for a pipe or a log. */
export interface Progress {
  show: (text: string) => void;
  /** Takes the spinner off the screen, so that what is printed next stands on a line of its own. */
  end: () => void;
}

export function startProgress(terminal: Terminal): Progress {
  return terminal.interactive ? spinnerProgress() : lineProgress(terminal);
}

function spinnerProgress(): Progress {
  // Ctrl-C is the command's own business: it still has the task id to say.
  const spinner = yoctoSpinner({ handleSignals: false });
  return {
    show: (text) => {
      spinner.text = text;
      spinner.start();
    },
    end: () => {
      spinner.stop();
    },
  };
}

function lineProgress(terminal: Terminal): Progress {
  let last = '';
  return {
    show: (text) => {
      if (text !== last) terminal.note(text);
      last = text;
    },
    end: () => undefined,
  };
}
