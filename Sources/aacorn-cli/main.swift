import AacornCommands

RootCommand.runProcess()
