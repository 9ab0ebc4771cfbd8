@rem The script "local" of package.json begins with exec, so that signals reach Node and not a shell in between.
@rem cmd.exe knows no exec, and finds this file instead.
@%*
