"""Case in, Output out: recorded, prompted, agent, function, command."""
